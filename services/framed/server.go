package framed

import (
	"fmt"
	"net"

	"github.com/gohone/hone/services/internal/server"
)

// Server serves one listener with one stage.
type Server struct {
	server.Front[Stage]
	timeouts server.Timeouts
	core     *server.Core[*peer]
	reactor  *reactor
	ended    Counters // of peers that have gone; the core's Retire adds to it
}

// New checks cfg and returns a server that does not listen yet.
func New(cfg Config) (*Server, error) {
	stage, err := cfg.fill()
	if err != nil {
		return nil, fmt.Errorf("configure framed server: %w", err)
	}
	s := &Server{timeouts: server.Timeouts{Idle: cfg.IdleTimeout, Write: cfg.WriteTimeout}}
	s.reactor = &reactor{server: s}
	s.core = server.New(server.Options[*peer]{
		Stage: stage.Name, MaxConns: cfg.MaxConns, Log: cfg.Log, Timeouts: s.timeouts,
		Tick:   s.reactor.sweep,
		Retire: func(p *peer) { s.ended.add(p) },
		Engine: s.reactor,
	})
	s.Front = server.NewFront(s.core, stage, func(ln net.Listener) error { return stage.Serve(s, ln) })
	return s, nil
}

// Errors of Serve: the server has a listener already; it was shut down before.
var (
	ErrServing  = server.ErrServing
	ErrShutdown = server.ErrShutdown
)

// eachPeer accepts connections and runs answer on each of them, on a goroutine of its own,
// until ln is closed. answer returns io.EOF when the client has ended, and a *FrameError
// for a bad frame; it leaves closing to s.
func (s *Server) eachPeer(ln net.Listener, answer func(*peer) error) error {
	return server.AcceptAll(ln, func(conn net.Conn) { s.core.Answer(newPeer(conn), answer) })
}
