package tlsidle

import (
	"net"
	"time"

	"github.com/gohone/hone/services/internal/accept"
)

// gate is a listener that admits MaxConns connections at a time and counts them.
// Whoever takes a connection from it calls leave once it has ended.
type gate struct {
	net.Listener
	s *Server
}

// Accept accepts the next connection that is admitted.
func (g gate) Accept() (net.Conn, error) {
	for {
		conn, err := accept.Next(g.Listener, g.s.closing, func(err error, _ time.Duration) {
			g.s.ended(CauseResources, nil, err)
		})
		if err != nil {
			return nil, err
		}
		if g.s.enter(conn) {
			return conn, nil
		}
	}
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
