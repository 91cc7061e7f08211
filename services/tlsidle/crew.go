package tlsidle

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"github.com/gohone/hone/services/internal/farewell"
)

// crew is the engine of the stages that have a goroutine for each connection, blocked
// in a read while the connection is idle. They differ in where the buffers come from.
type crew struct {
	s *Server
	// lend returns how one connection gets the scratch for a request, and how it gives
	// it back.
	lend func() (take func() *scratch, give func(*scratch))

	live sync.WaitGroup // one for each member
	mu   sync.Mutex
	all  map[*member]struct{}
}

// member is one connection.
type member struct {
	*tls.Conn
	raw   net.Conn
	first [1]byte // of a request
	take  func() *scratch
	give  func(*scratch)
}

func newCrew(s *Server, lend func() (take func() *scratch, give func(*scratch))) *crew {
	return &crew{s: s, lend: lend, all: make(map[*member]struct{})}
}

func (c *crew) serve(ln net.Listener) error {
	g := gate{ln, c.s}
	for {
		conn, err := g.Accept()
		if err != nil {
			return err
		}
		m := &member{Conn: tls.Server(conn, c.s.tls), raw: conn}
		m.take, m.give = c.lend()
		if !c.enlist(m) {
			continue
		}
		go func() { // ends with its connection, which shutdown ends
			defer c.live.Done()
			cause, err := c.talk(m)
			c.end(m, cause, err)
		}()
	}
}

// enlist puts m on the books, or closes it if the server is closing.
func (c *crew) enlist(m *member) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.s.isClosing() {
		m.raw.Close()
		c.s.leave()
		return false
	}
	c.all[m] = struct{}{}
	c.live.Add(1)
	return true
}

// noCause is the cause of an end in order.
const noCause = NumCauses

// talk serves m until it ends, and says why it did.
func (c *crew) talk(m *member) (Cause, error) {
	cfg := &c.s.cfg
	m.SetWriteDeadline(time.Now().Add(cfg.HandshakeTimeout))
	if err := c.await(m, cfg.HandshakeTimeout); err != nil {
		return noCause, nil
	}
	if err := m.Handshake(); err != nil {
		return c.blame(err, CauseHandshakeSlow, CauseHandshake)
	}
	c.s.tally.handshakes.Add(1)
	for {
		if err := c.await(m, cfg.IdleTimeout); err != nil {
			return noCause, nil
		}
		if _, err := m.Read(m.first[:]); err != nil {
			if isEnd(err) {
				return noCause, nil
			}
			return c.blame(err, CauseIdle, CauseBroken)
		}
		if cause, err := c.request(m); cause != noCause || err != nil {
			return cause, err
		}
	}
}

// request serves the request whose first byte has come, and those that came with it.
func (c *crew) request(m *member) (Cause, error) {
	b := m.take()
	defer m.give(b)
	b.load(m.first[:])
	for begun := false; len(b.in) > 0; {
		out, last := b.next(time.Now())
		if out == nil {
			if !begun {
				if err := c.await(m, c.s.cfg.RequestTimeout); err != nil {
					return noCause, err
				}
				begun = true
			}
			n, err := m.Read(b.space())
			b.arrived(n)
			if err != nil && n == 0 {
				return c.blame(err, CauseRequestSlow, CauseBroken)
			}
			continue
		}
		c.s.tally.requests.Add(1)
		m.SetWriteDeadline(time.Now().Add(c.s.cfg.WriteTimeout))
		if _, err := m.Write(out); err != nil {
			return c.blame(err, CauseStalled, CauseBroken)
		}
		c.s.tally.responses.Add(1)
		if last != nil {
			var why *refusal
			if errors.As(last, &why) {
				return CauseBadRequest, why
			}
			return noCause, errEnds
		}
		begun = false // what is left began behind this one, and has its own time
	}
	return noCause, nil
}

// await gives the reads that follow a deadline. It fails once the server is closing.
func (c *crew) await(m *member, d time.Duration) error {
	m.SetReadDeadline(time.Now().Add(d))
	// Shutdown closes first and then cuts the deadlines: whichever comes later here,
	// the shutdown is seen.
	if c.s.isClosing() {
		return net.ErrClosed
	}
	return nil
}

// blame says why a read or write failed: slow if its deadline passed, else broken. A
// deadline that a shutdown has cut is nobody's fault.
func (c *crew) blame(err error, slow, broken Cause) (Cause, error) {
	switch {
	case c.s.isClosing():
		return noCause, err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return slow, nil
	}
	return broken, err
}

// end closes m and strikes it off the books.
func (c *crew) end(m *member, cause Cause, err error) {
	if cause != noCause {
		c.s.ended(cause, m.raw.RemoteAddr(), err)
	}
	var why *refusal
	if errors.Is(err, errEnds) || errors.As(err, &why) || c.s.isClosing() {
		c.linger(m)
	}
	switch cause {
	case CauseStalled:
		if tcp, ok := m.raw.(*net.TCPConn); ok {
			tcp.SetLinger(0) // drops what the kernel holds for a client that does not read
		}
		m.raw.Close()
	case CauseBroken:
		m.raw.Close() // a goodbye could wait for room that never comes
	default:
		m.Close()
	}
	c.mu.Lock()
	delete(c.all, m)
	c.mu.Unlock()
	c.s.leave()
}

// linger ends the sending side and discards what the client still sends.
func (c *crew) linger(m *member) {
	if m.CloseWrite() == nil {
		farewell.Linger(m.raw)
	}
}

func (c *crew) shutdown(ctx context.Context) error {
	past := time.Unix(1, 0)
	c.mu.Lock()
	for m := range c.all {
		m.raw.SetReadDeadline(past)
	}
	c.mu.Unlock()

	gone := make(chan struct{})
	go func() { // ends with the members, which this function ends
		c.live.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	left := len(c.all)
	for m := range c.all {
		m.raw.Close()
	}
	c.mu.Unlock()
	<-gone
	if left == 0 {
		return nil
	}
	return cutShort(ctx, left)
}
