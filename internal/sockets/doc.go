// Package sockets reads the system's TCP sockets and who holds them, from /proc (Linux).
package sockets
