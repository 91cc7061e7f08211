// Package sockets reads the system's TCP and Unix sockets and who holds them, from /proc (Linux), and which
// hosts are this machine.
package sockets
