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
	server.Front[Stage]
	cfg     Config
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
	s := &Server{cfg: cfg, methods: make(map[string]*method)}
	s.core = server.New(server.Options[*peer]{
		Stage: stage.Name, MaxConns: cfg.MaxConns, Log: cfg.Log,
		Timeouts: server.Timeouts{Idle: cfg.IdleTimeout, Write: cfg.WriteTimeout},
		Retire:   func(p *peer) { s.frames += p.frames.Load() },
	})
	s.Front = server.NewFront(s.core, stage, func(ln net.Listener) error { return stage.Serve(s, ln) })
	return s, nil
}

// Errors of Serve and of registration: the server has a listener already; it was shut down before.
var (
	ErrServing  = server.ErrServing
	ErrShutdown = server.ErrShutdown
)

// Shutdown is Front's. Where that closes connections as they are, it also ends the
// contexts of their calls: a handler that minds no context keeps it waiting.
func (s *Server) Shutdown(ctx context.Context) error { return s.Front.Shutdown(ctx) }

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
