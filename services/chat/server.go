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
	server.Front[Stage]
	cfg     Config
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
	s := &Server{cfg: cfg, hub: newHub(cfg.MaxRoom)}
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
	s.Front = server.NewFront(s.core, stage, s.serve)
	return s, nil
}

// Errors of Serve: the server has a listener already; it was shut down before.
var (
	ErrServing  = server.ErrServing
	ErrShutdown = server.ErrShutdown
)

func (s *Server) serve(ln net.Listener) error {
	id := uint64(0)
	return server.AcceptAll(ln, func(conn net.Conn) {
		id++
		s.core.Answer(&peer{Base: server.Base{Conn: conn}, id: id}, s.talk)
	})
}

// talk is the life of a connection.
func (s *Server) talk(p *peer) error {
	err := s.answer(p)
	p.finish()
	return err
}

// Shutdown is Front's, and writes the journal.
func (s *Server) Shutdown(ctx context.Context) error {
	err := s.Front.Shutdown(ctx)
	s.journal.flush()
	return err
}
