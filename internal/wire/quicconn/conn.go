package quicconn

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/quic-go/quic-go"
)

// Conn is a QUIC connection. Pieces that are written open streams, pieces that are read are what came on them. One
// goroutine may write while another reads.
type Conn struct {
	quic      *quic.Conn
	transport *quic.Transport
	socket    *net.UDPConn
	// life ends with Close and with a deadline for writing: what waits for the server ends then.
	life    context.Context
	end     context.CancelFunc
	streams sync.WaitGroup // their goroutines, and those that accept; they end with quic
	watch   sync.WaitGroup

	mu       sync.Mutex // of what follows
	err      error      // how the connection ended
	closed   bool       // by this side
	writeEnd *time.Timer
	inbox
	requestStreams
}

// inbox has the pieces that came and are to be read.
type inbox struct {
	readable sync.Cond // in, err or closed has changed, or the deadline has come
	room     sync.Cond // in was read, or closed
	in       []byte    // the pieces, from byte read on
	read     int
	readEnd  deadline
}

// requestStreams are the streams of requests.
type requestStreams struct {
	open    map[uint64]*quic.Stream
	opened  uint64 // so far
	limited bool   // the reader knows the server's limit of streams
	ended   bool   // no stream is opened any more
}

// maxWaiting bounds what has come and is not read: beyond it the windows of QUIC hold the server back.
const maxWaiting = 1 << 20

func newConn(conn *quic.Conn, transport *quic.Transport, socket *net.UDPConn) *Conn {
	c := &Conn{quic: conn, transport: transport, socket: socket}
	c.open = map[uint64]*quic.Stream{}
	c.readable.L, c.room.L = &c.mu, &c.mu
	c.readEnd.wake = func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.readable.Broadcast()
	}
	c.life, c.end = context.WithCancel(context.Background())
	c.streams.Go(c.accept)
	c.watch.Go(func() {
		<-conn.Context().Done()
		c.mu.Lock()
		c.ended = true
		c.mu.Unlock()
		c.streams.Wait() // what came before the end is read before it
		c.mu.Lock()
		defer c.mu.Unlock()
		c.err = endOf(context.Cause(conn.Context()))
		c.readable.Broadcast()
	})
	return c
}

// h3NoError is the code of a connection that ends in good order (RFC 9114 section 8.1).
const h3NoError = 0x100

// endOf is the end of a connection as an engine of load understands it: io.EOF where the server closed in good order.
func endOf(err error) error {
	var app *quic.ApplicationError
	var idle *quic.IdleTimeoutError
	var reset *quic.StatelessResetError
	var transport *quic.TransportError
	switch {
	case errors.As(err, &app) && app.Remote && (app.ErrorCode == h3NoError || app.ErrorCode == 0):
		return io.EOF
	case errors.As(err, &idle):
		return &net.OpError{Op: "read", Net: "quic", Err: os.ErrDeadlineExceeded}
	case errors.As(err, &app) && app.Remote, errors.As(err, &transport) && transport.Remote, errors.As(err, &reset),
		errors.Is(err, syscall.ECONNREFUSED): // the program behind the port is gone
		return &net.OpError{Op: "read", Net: "quic", Err: resetBy{err}}
	}
	return err
}

// resetBy is the end of a connection that counts as reset.
type resetBy struct{ error }

// Is says that it is a reset.
func (resetBy) Is(target error) bool { return target == syscall.ECONNRESET }

// Close ends the connection, and returns when all of its goroutines have ended.
func (c *Conn) Close() error {
	c.mu.Lock()
	was := c.closed
	c.closed = true
	c.readEnd.stop()
	if c.writeEnd != nil {
		c.writeEnd.Stop()
	}
	c.readable.Broadcast()
	c.room.Broadcast()
	c.mu.Unlock()
	if was {
		return net.ErrClosed
	}
	c.end()
	err := c.quic.CloseWithError(h3NoError, "")
	c.watch.Wait()
	return errors.Join(err, c.transport.Close(), c.socket.Close())
}

// LocalAddr implements net.Conn.
func (c *Conn) LocalAddr() net.Addr { return c.socket.LocalAddr() }

// RemoteAddr implements net.Conn.
func (c *Conn) RemoteAddr() net.Addr { return c.socket.RemoteAddr() }

// SetDeadline implements net.Conn.
func (c *Conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// SetReadDeadline implements net.Conn.
func (c *Conn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return net.ErrClosed
	}
	c.readEnd.set(t)
	c.readable.Broadcast()
	return nil
}

// SetWriteDeadline implements net.Conn. Once a deadline has come, nothing more can be written: a later one changes
// nothing.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return net.ErrClosed
	}
	if c.writeEnd != nil {
		c.writeEnd.Stop()
		c.writeEnd = nil
	}
	switch left := time.Until(t); {
	case t.IsZero():
	case left <= 0:
		c.end()
	default:
		c.writeEnd = time.AfterFunc(left, c.end)
	}
	return nil
}

// deadline is a moment, and a timer that wakes who waits until then. Its user sees to locking.
type deadline struct {
	at    time.Time // zero: none
	timer *time.Timer
	wake  func()
}

func (d *deadline) set(t time.Time) {
	d.stop()
	d.at = t
	if left := time.Until(t); !t.IsZero() && left > 0 {
		d.timer = time.AfterFunc(left, d.wake)
	}
}

func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
}

func (d *deadline) over() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }

var _ net.Conn = (*Conn)(nil)
