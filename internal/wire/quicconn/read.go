package quicconn

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"

	"github.com/quic-go/quic-go"
)

// Read implements net.Conn: it reads pieces, of which the last may be cut off. The end of the connection is io.EOF if
// the server closed it in good order.
func (c *Conn) Read(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.closed:
			return 0, net.ErrClosed
		case c.readEnd.over():
			return 0, os.ErrDeadlineExceeded
		case len(b) == 0:
			return 0, nil
		case c.read < len(c.in):
			n := copy(b, c.in[c.read:])
			if c.read += n; c.read == len(c.in) {
				c.in, c.read = c.in[:0], 0
				c.room.Broadcast()
			}
			return n, nil
		case c.err != nil:
			return 0, c.err
		}
		c.readable.Wait()
	}
}

// put hands pieces over to the reader, when it has taken most of what came before. It drops them once the connection is
// closed.
func (c *Conn) put(all ...Piece) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.in)-c.read >= maxWaiting && !c.closed {
		c.room.Wait()
	}
	if c.closed {
		return
	}
	for _, r := range all {
		c.in = r.Append(c.in)
	}
	c.readable.Signal()
}

// buffers holds what streams are read into.
var buffers = sync.Pool{New: func() any { return new([8 << 10]byte) }}

// answer reads the stream of a request to its end.
func (c *Conn) answer(number uint64, s *quic.Stream) {
	buf := buffers.Get().(*[8 << 10]byte)
	defer buffers.Put(buf)
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.open, number)
	}()
	for {
		n, err := s.Read(buf[:])
		switch code, reset := resetCode(err); {
		case err == nil:
			c.put(Piece{Kind: Part, Stream: number, Data: buf[:n]})
		case errors.Is(err, io.EOF):
			c.put(Piece{Kind: Last, Stream: number, Data: buf[:n]})
			return
		case reset:
			c.put(Piece{Kind: Part, Stream: number, Data: buf[:n]},
				Piece{Kind: Reset, Stream: number, Data: Code(code)})
			return
		default: // the connection has ended, or this side has given the stream up
			return
		}
	}
}

// resetCode is the code with which the server ended a stream.
func resetCode(err error) (code uint64, reset bool) {
	var s *quic.StreamError
	if errors.As(err, &s) && s.Remote {
		return uint64(s.ErrorCode), true
	}
	return 0, false
}

// accept reads the streams that the server opens to this side alone: a goroutine for each, up to the library's limit of
// 100.
func (c *Conn) accept() {
	for number := uint64(0); ; number++ {
		s, err := c.quic.AcceptUniStream(context.Background())
		if err != nil { // the connection has ended
			return
		}
		c.streams.Go(func() { c.push(number, s) })
	}
}

// push reads one of them to its end.
func (c *Conn) push(number uint64, s *quic.ReceiveStream) {
	buf := make([]byte, 512) // little comes on them
	for {
		n, err := s.Read(buf)
		if _, reset := resetCode(err); reset || errors.Is(err, io.EOF) {
			c.put(Piece{Kind: PushLast, Stream: number, Data: buf[:n]})
		}
		if err != nil {
			return
		}
		c.put(Piece{Kind: Push, Stream: number, Data: buf[:n]})
	}
}
