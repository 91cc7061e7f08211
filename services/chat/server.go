package chat

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"sync/atomic"

	"github.com/gohone/hone/services/internal/server"
)

// Server serves one listener with one stage.
type Server struct {
	cfg     Config
	stage   Stage
	answer  func(*peer) error // the stage's, for one connection
	core    *server.Core[*peer]
	hub     *hub
	journal *journal
	queued  atomic.Int64 // bytes that wait for slow clients, all together
	ended   Counters     // of the connections that have gone; the core's Retire adds to it
}

// New checks cfg and returns a server that does not listen yet.
func New(cfg Config) (*Server, error) {
	stage, err := cfg.fill()
	if err != nil {
		return nil, fmt.Errorf("configure chat server: %w", err)
	}
	s := &Server{cfg: cfg, stage: stage, hub: newHub(cfg.MaxRoom)}
	s.core = server.New(server.Options[*peer]{
		Stage: stage.Name, MaxConns: cfg.MaxConns, Log: cfg.Log,
		Timeouts: server.Timeouts{Idle: cfg.IdleTimeout, Write: cfg.WriteTimeout},
		SlowLimit: slog.Group("", slog.Int("queue_bytes", cfg.QueueBytes),
			slog.Int64("queue_total_bytes", cfg.QueueTotalBytes)),
		Tick:   func() { s.journal.flush() },
		Retire: func(p *peer) { s.ended.add(p) },
	})
	s.journal = &journal{notices: s.core.Notices, w: cfg.Journal}
	s.answer = stage.open(s)
	return s, nil
}

// Stage returns the stage that the server serves with.
func (s *Server) Stage() Stage { return s.stage }

// Errors of Serve that a caller may want to tell apart.
var (
	// ErrServing means that the server has a listener already.
	ErrServing = server.ErrServing
	// ErrShutdown means that Serve was called after Shutdown.
	ErrShutdown = server.ErrShutdown
)

// Serve answers the connections of ln and owns ln from here on, also when it fails.
// It returns nil once Shutdown has begun, which the caller then waits for, and an
// error if accepting fails for another reason; connections that are there are served
// until Shutdown in either case.
func (s *Server) Serve(ln net.Listener) error {
	id := uint64(0)
	return s.core.Serve(ln, func(ln net.Listener) error {
		return server.AcceptAll(ln, func(conn net.Conn) {
			id++
			s.core.Answer(&peer{Base: server.Base{Conn: conn}, id: id}, s.talk)
		})
	})
}

// talk is the life of a connection.
func (s *Server) talk(p *peer) error {
	err := s.answer(p)
	p.finish()
	return err
}

// Shutdown stops accepting, has every request acked that was read, and closes the
// connections. Once ctx ends it waits no longer, closes those that are left as they
// are, and says so in its error. Every goroutine of the server has ended, and the
// journal is written, when it returns. A second call waits too.
func (s *Server) Shutdown(ctx context.Context) error {
	err := s.core.Shutdown(ctx)
	s.journal.flush()
	return err
}
