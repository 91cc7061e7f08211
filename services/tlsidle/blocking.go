package tlsidle

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"time"

	"github.com/gohone/hone/services/internal/server"
)

// blocking is the engine of the stages that have a goroutine for each connection, blocked
// in a read while the connection is idle. They differ in where the buffers come from.
type blocking struct {
	s *Server
	// lend returns how one connection gets the scratch for a request, and how it gives
	// it back.
	lend func() (take func() *scratch, give func(*scratch))
}

// peer is one connection.
type peer struct {
	server.Base
	tls   *tls.Conn
	first [1]byte // of a request
	take  func() *scratch
	give  func(*scratch)
}

func (c *blocking) serve(ln net.Listener) error {
	return server.AcceptAll(ln, func(conn net.Conn) {
		m := &peer{Base: server.Base{Conn: conn}, tls: tls.Server(conn, c.s.tls)}
		m.take, m.give = c.lend()
		c.s.core.Go(m, func(m *peer) server.Ending {
			cause, err := c.talk(m)
			c.end(m, cause, err)
			return server.Ending{}
		})
	})
}

// noCause is the cause of an end in order.
const noCause = NumCauses

// talk serves m until it ends, and says why it did.
func (c *blocking) talk(m *peer) (Cause, error) {
	cfg := &c.s.cfg
	m.SetWriteDeadline(time.Now().Add(cfg.HandshakeTimeout))
	if err := c.await(m, cfg.HandshakeTimeout); err != nil {
		return noCause, nil
	}
	if err := m.tls.Handshake(); err != nil {
		return c.blame(err, CauseHandshakeSlow, CauseHandshake)
	}
	c.s.tally.handshakes.Add(1)
	for {
		if err := c.await(m, cfg.IdleTimeout); err != nil {
			return noCause, nil
		}
		if _, err := m.tls.Read(m.first[:]); err != nil {
			if errors.Is(err, io.EOF) { // the client ended in order
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
func (c *blocking) request(m *peer) (Cause, error) {
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
			n, err := m.tls.Read(b.space())
			b.arrived(n)
			if err != nil && n == 0 {
				return c.blame(err, CauseRequestSlow, CauseBroken)
			}
			continue
		}
		c.s.tally.requests.Add(1)
		m.SetWriteDeadline(time.Now().Add(c.s.cfg.WriteTimeout))
		if _, err := m.tls.Write(out); err != nil {
			return c.blame(err, CauseStalled, CauseBroken)
		}
		c.s.tally.responses.Add(1)
		if last != nil {
			if why, ok := errors.AsType[*refusal](last); ok {
				return CauseBadRequest, why
			}
			return noCause, errEnds
		}
		begun = false // what is left began behind this one, and has its own time
	}
	return noCause, nil
}

// await gives the reads that follow a deadline. It fails once the server is closing.
func (c *blocking) await(m *peer, d time.Duration) error {
	m.SetReadDeadline(time.Now().Add(d))
	// Shutdown closes first and then cuts the deadlines: whichever comes later here,
	// the shutdown is seen.
	if c.s.core.Closing() {
		return net.ErrClosed
	}
	return nil
}

// blame says why a read or write failed: slow if its deadline passed, else broken. A
// deadline that a shutdown has cut is no fault.
func (c *blocking) blame(err error, slow, broken Cause) (Cause, error) {
	switch {
	case c.s.core.Closing():
		return noCause, err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return slow, nil
	}
	return broken, err
}

// end closes m.
func (c *blocking) end(m *peer, cause Cause, err error) {
	if cause != noCause {
		c.s.ended(cause, m.RemoteAddr(), err)
	}
	_, refused := errors.AsType[*refusal](err)
	if (refused || errors.Is(err, errEnds) || c.s.core.Closing()) && m.tls.CloseWrite() == nil {
		server.Linger(m.Conn)
	}
	switch cause {
	case CauseStalled:
		server.Reset(m.Conn)
		m.Close()
	case CauseBroken:
		m.Close() // a goodbye could wait for room that never comes
	default:
		m.tls.Close()
	}
}
