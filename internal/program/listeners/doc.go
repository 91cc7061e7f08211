// Package listeners finds the sockets on which processes accept connections, TCP, UDP and Unix, and who holds them.
package listeners
