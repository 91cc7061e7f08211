// Package http3 speaks HTTP/3 (RFC 9114) with field sections of RFC 9204, over a QUIC connection in the shape of a
// net.Conn (internal/wire/quicconn).
//
// dialog.go is one connection, stream.go one answer. The server is told to use no dynamic table.
package http3
