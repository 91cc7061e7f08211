// Package quicconn gives a QUIC connection the shape of a net.Conn: what is written and read are pieces of what goes
// over its streams. It knows the codes of HTTP/3 and nothing else of it.
package quicconn

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/quic-go/quic-go"
)

// idleTimeout is how long a connection may be silent before it is given up (RFC 9000 section 10.1); the server may want
// less. How long an answer may take is for the engine to say, so that this is long. keepAlive is when a connection over
// which nothing has come sends a PING: servers give up after 30 s mostly, and only a connection that sends learns that
// the program behind the port is gone.
const (
	idleTimeout = 10 * time.Minute
	keepAlive   = time.Second
)

// handshakeTimeout is above all that a caller's context allows, which is what bounds the handshake.
const handshakeTimeout = time.Hour

// Dial connects to address, host:port of UDP, with d. config needs a name for ALPN.
// The handshake is complete when Dial returns: nothing is sent in 0-RTT. ctx bounds it.
//
// Errors of the handshake are those of quic-go. Where the machine of the server says that nothing listens on the port,
// errors.Is(err, syscall.ECONNREFUSED) holds.
func Dial(ctx context.Context, d net.Dialer, address string, config *tls.Config) (*Conn, error) {
	c, err := d.DialContext(ctx, "udp", address)
	if err != nil {
		return nil, err
	}
	udp, ok := c.(*net.UDPConn)
	if !ok {
		c.Close()
		return nil, fmt.Errorf("dial UDP: got %T", c)
	}
	transport := &quic.Transport{Conn: connected{udp}}
	conn, err := transport.Dial(ctx, udp.RemoteAddr(), config, &quic.Config{
		Versions:             []quic.Version{quic.Version1},
		HandshakeIdleTimeout: handshakeTimeout,
		MaxIdleTimeout:       idleTimeout,
		KeepAlivePeriod:      keepAlive,
		MaxIncomingStreams:   -1, // HTTP/3 has none from servers (RFC 9114 section 6.1)
	})
	if err != nil {
		transport.Close()
		udp.Close()
		return nil, err
	}
	return newConn(conn, transport, udp), nil
}

// connected is a UDP socket that is bound to its peer, for a library that names the peer with each packet. The kernel
// tells such a socket when nothing listens there any more (ICMP, port unreachable); others wait for a timeout.
type connected struct{ *net.UDPConn }

// WriteTo implements net.PacketConn.
func (c connected) WriteTo(b []byte, _ net.Addr) (int, error) { return c.Write(b) }

// WriteMsgUDP implements quic.OOBCapablePacketConn.
func (c connected) WriteMsgUDP(b, oob []byte, _ *net.UDPAddr) (n, oobn int, err error) {
	return c.UDPConn.WriteMsgUDP(b, oob, nil)
}

var _ quic.OOBCapablePacketConn = connected{}

// limitReached says that the server takes no more streams now.
func limitReached(err error) bool {
	var limit *quic.StreamLimitReachedError
	return errors.As(err, &limit)
}
