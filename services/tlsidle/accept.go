package tlsidle

import (
	"errors"
	"net"
	"syscall"
	"time"
)

// Waits between attempts to accept while the machine is short of something.
const (
	firstBackoff = 5 * time.Millisecond
	lastBackoff  = time.Second
)

// gate is a listener that admits MaxConns connections at a time and counts them.
// Whoever takes a connection from it calls leave once it has ended.
type gate struct {
	net.Listener
	s *Server
}

// Accept accepts the next connection that is admitted. It waits out a shortage of
// descriptors or memory: the connections that are there are served meanwhile, and
// ending some cures it.
func (g gate) Accept() (net.Conn, error) {
	for wait := firstBackoff; ; {
		conn, err := g.Listener.Accept()
		switch {
		case err == nil && g.s.enter(conn):
			return conn, nil
		case err == nil:
			continue
		case !passing(err):
			return nil, err
		}
		g.s.ended(CauseResources, nil, err)
		select {
		case <-g.s.closing:
			return nil, net.ErrClosed
		case <-time.After(wait):
		}
		wait = min(2*wait, lastBackoff)
	}
}

// passing says whether accepting may work again later.
func passing(err error) bool {
	for _, shortage := range []error{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED,
	} {
		if errors.Is(err, shortage) {
			return true
		}
	}
	return false
}

// enter counts conn in, or closes it if the server is full.
func (s *Server) enter(conn net.Conn) bool {
	if s.tally.connected.Add(1) > int64(s.cfg.MaxConns) || s.isClosing() {
		s.tally.connected.Add(-1)
		conn.Close()
		s.ended(CauseRefused, conn.RemoteAddr(), nil)
		return false
	}
	s.tally.accepted.Add(1)
	return true
}

// leave counts a connection out.
func (s *Server) leave() { s.tally.connected.Add(-1) }
