package load

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"time"
)

// engine moves the bytes of one shard. There are two: the event loop (Linux, TCP and
// Unix sockets, plain or with TLS) and the portable one (goroutines over net.Conn).
type engine interface {
	// post hands over a message; false once the engine has ended.
	post(m mail) bool
	// silent says that every connection of the shard is stalled or down.
	silent() bool
}

// setup is what an engine needs to start.
type setup struct {
	shard *shard
	conns []net.Conn // one for each link, owned by the engine from now on
	cpu   int        // to pin to; -1: not pinned
	// redial replaces the connection of a link after the given wait and posts
	// mailConn or mailFault. It returns at once.
	redial func(e engine, link int, wait time.Duration)
	// ended is called once when the engine has released everything.
	ended func()
}

// maxAnswer bounds what one connection may hold back as an answer that is not
// whole. It is far above any frame of a sane protocol.
const maxAnswer = 16 << 20

// isEOF says that the peer ended the stream in good order. A TLS peer that closes
// without its goodbye (io.ErrUnexpectedEOF) has closed, too.
func isEOF(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// causeOf classes a transport error.
func causeOf(err error) Cause {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ENOENT):
		return Refused // ENOENT: a Unix socket's path without a listener
	case errors.Is(err, syscall.ECONNRESET):
		return Reset
	case errors.Is(err, syscall.EPIPE), errors.Is(err, net.ErrClosed):
		return Closed
	case errors.Is(err, syscall.ETIMEDOUT), errors.Is(err, os.ErrDeadlineExceeded),
		errors.As(err, &timeout) && timeout.Timeout():
		return Timeout
	default:
		return OtherError
	}
}
