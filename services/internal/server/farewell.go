package server

import (
	"io"
	"net"
	"time"
)

// Bounds of Linger. The bytes exceed Linux's default largest receive buffer (6 MB,
// tcp_rmem), which is what can be on its way; the time is several round trips of any
// network.
const (
	LingerTime  = 500 * time.Millisecond
	LingerBytes = 8 << 20
)

// Linger ends the sending side and discards what the client still sends, until it ends
// too. Closed with bytes unread, the connection would be reset, and the reset can
// destroy answers that the client has not read.
func Linger(conn net.Conn) {
	half, ok := conn.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	conn.SetReadDeadline(time.Now().Add(LingerTime))
	io.CopyN(io.Discard, conn, LingerBytes)
}

// Reset makes Close drop what was written and not read, instead of having the kernel
// hold it for a client that does not read.
func Reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
}
