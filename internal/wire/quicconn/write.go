package quicconn

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"

	"github.com/quic-go/quic-go"
)

// atOnce is the size of a request that quic-go takes without waiting for packets to leave: it has to fit into one.
const atOnce = 1000

// Write implements net.Conn: b is whole pieces. A request waits here for its stream while the server takes no more of
// them; its content does not hold up the others.
func (c *Conn) Write(b []byte) (int, error) {
	n := 0
	for n < len(b) {
		r, size := Read(b[n:])
		if size == 0 {
			return n, errors.New("write a piece that is not whole")
		}
		if err := c.do(r); err != nil {
			if c.life.Err() != nil {
				err = os.ErrDeadlineExceeded
			}
			return n, err
		}
		n += size
	}
	return n, nil
}

// do does what a piece says.
func (c *Conn) do(r Piece) error {
	switch r.Kind {
	case Request:
		return c.request(r)
	case Setup:
		s, err := c.quic.OpenUniStreamSync(c.life)
		if err == nil {
			_, err = s.Write(r.Data)
		}
		return err
	case Stop:
		c.mu.Lock()
		s := c.open[r.Stream]
		c.mu.Unlock()
		if s != nil { // else it has ended
			s.CancelRead(quic.StreamErrorCode(r.Code()))
			s.CancelWrite(quic.StreamErrorCode(r.Code()))
		}
		return nil
	}
	return fmt.Errorf("write a piece of kind %d", r.Kind)
}

// request opens a stream and sends a request over it.
func (c *Conn) request(r Piece) error {
	s, err := c.quic.OpenStream()
	if limitReached(err) {
		c.tellLimit()
		s, err = c.quic.OpenStreamSync(c.life)
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return net.ErrClosed
	}
	c.open[r.Stream] = s
	c.opened++
	c.streams.Go(func() { c.answer(r.Stream, s) })
	if len(r.Data) <= atOnce {
		send(s, r.Data)
		return nil
	}
	data := slices.Clone(r.Data) // the caller's own when Write returns
	c.streams.Go(func() { send(s, data) })
	return nil
}

// send sends the content of a request. What goes wrong shows where the answer is read: the server may want no more of
// the request, since it has answered already, or the connection has ended.
func send(s *quic.Stream, data []byte) {
	if _, err := s.Write(data); err == nil {
		_ = s.Close()
	}
}

// tellLimit has the reader know how many streams the server takes at a time: as many as were opened when the first one
// had to wait. That is exact as long as the server has allowed no further ones.
func (c *Conn) tellLimit() {
	c.mu.Lock()
	opened, told := c.opened, c.limited
	c.limited = true
	c.mu.Unlock()
	if !told {
		c.put(Piece{Kind: Limit, Data: Code(opened)})
	}
}
