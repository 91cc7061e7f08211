package rpc

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"

	"github.com/gohone/hone/services/internal/server"
)

// Server serves one listener with one stage.
type Server struct {
	cfg     Config
	stage   Stage
	core    *server.Core[*peer]
	panics  atomic.Uint64
	frames  uint64             // of the connections that have gone; the core's Retire adds to it
	methods map[string]*method // by service path; not written once there is a listener
}

// New checks cfg and returns a server that has no services and does not listen yet.
func New(cfg Config) (*Server, error) {
	stage, err := cfg.fill()
	if err != nil {
		return nil, fmt.Errorf("configure rpc server: %w", err)
	}
	s := &Server{cfg: cfg, stage: stage, methods: make(map[string]*method)}
	s.core = server.New(server.Options[*peer]{
		Stage: stage.Name, MaxConns: cfg.MaxConns, Log: cfg.Log,
		Timeouts: server.Timeouts{Idle: cfg.IdleTimeout, Write: cfg.WriteTimeout},
		Retire:   func(p *peer) { s.frames += p.frames.Load() },
	})
	return s, nil
}

// Stage returns the stage that the server serves with.
func (s *Server) Stage() Stage { return s.stage }

// Errors of Serve and of registration that a caller may want to tell apart.
var (
	// ErrServing means that the server has a listener already.
	ErrServing = server.ErrServing
	// ErrShutdown means that the server was shut down before.
	ErrShutdown = server.ErrShutdown
)

// Serve answers the connections of ln and owns ln from here on, also when it fails.
// It returns nil once Shutdown has begun, which the caller then waits for, and an
// error if accepting fails for another reason; connections that are there are served
// until Shutdown in either case.
func (s *Server) Serve(ln net.Listener) error {
	return s.core.Serve(ln, func(ln net.Listener) error { return s.stage.Serve(s, ln) })
}

// Shutdown stops accepting, has every call answered that was read, and closes the
// connections. Once ctx ends it waits no longer: it closes those that are left as they
// are, ends the contexts of their calls, and says so in its error. Every goroutine of
// the server has ended when it returns, so a handler that minds no context keeps it
// waiting. A second call waits too.
func (s *Server) Shutdown(ctx context.Context) error { return s.core.Shutdown(ctx) }

// eachPeer accepts connections and runs answer on each of them, on a goroutine of its own,
// until ln is closed. answer returns io.EOF when the client has ended, and a *FrameError
// for a bad frame; it leaves closing to s.
func (s *Server) eachPeer(ln net.Listener, answer func(*peer) error) error {
	return server.AcceptAll(ln, func(conn net.Conn) {
		s.core.Answer(newPeer(s, conn), func(p *peer) error {
			defer p.over()
			return answer(p)
		})
	})
}
