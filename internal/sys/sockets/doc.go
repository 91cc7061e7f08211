// Package sockets reads the system's TCP and Unix sockets and who holds them, from /proc and by sock_diag(7) (Linux),
// and which hosts are this machine.
package sockets
