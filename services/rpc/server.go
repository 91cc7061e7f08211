package rpc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"

	"github.com/gohone/hone/services/internal/notices"
)

// Server serves one listener with one stage.
type Server struct {
	cfg     Config
	stage   Stage
	notices *notices.Log
	methods map[string]*method // by service path; not written once there is a listener
	panics  atomic.Uint64

	closing chan struct{}  // closed when Shutdown begins
	quit    chan struct{}  // closed when the last connection of a shutdown has gone
	live    sync.WaitGroup // one for each peer; added to under mu while closing is open
	watcher sync.WaitGroup // the watchdog

	mu       sync.Mutex
	listener net.Listener
	peers    map[*peer]struct{}
	ended    Counters // of the connections that have gone
}

// New checks cfg and returns a server that has no services and does not listen yet.
func New(cfg Config) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("configure rpc server: %w", err)
	}
	cfg = cfg.withDefaults()
	stage, err := LookupStage(cfg.Stage)
	if err != nil {
		return nil, fmt.Errorf("configure rpc server: %w", err)
	}
	return &Server{
		cfg:     cfg,
		stage:   stage,
		notices: notices.New(cfg.Log, "kind"),
		methods: make(map[string]*method),
		closing: make(chan struct{}),
		quit:    make(chan struct{}),
		peers:   make(map[*peer]struct{}),
	}, nil
}

// Stage returns the stage that the server serves with.
func (s *Server) Stage() Stage { return s.stage }

// Errors of Serve and of registration that a caller may want to tell apart.
var (
	// ErrServing means that the server has a listener already.
	ErrServing = errors.New("server serves a listener already")
	// ErrShutdown means that the server was shut down before.
	ErrShutdown = errors.New("server was shut down")
)

// Serve answers the connections of ln and owns ln from here on, also when it fails.
// It returns nil once Shutdown has begun, which the caller then waits for, and an
// error if accepting fails for another reason; connections that are there are served
// until Shutdown in either case.
func (s *Server) Serve(ln net.Listener) error {
	if err := s.begin(ln); err != nil {
		ln.Close()
		return fmt.Errorf("serve %v: %w", ln.Addr(), err)
	}
	err := s.stage.Serve(s, ln)
	if s.isClosing() {
		return nil
	}
	ln.Close()
	return fmt.Errorf("serve %v: %w", ln.Addr(), err)
}

// begin notes the listener and starts the watchdog, which ends with Shutdown.
func (s *Server) begin(ln net.Listener) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosing() {
		return ErrShutdown
	}
	if s.listener != nil {
		return ErrServing
	}
	s.listener = ln
	s.watcher.Go(func() { s.watch(s.quit) })
	return nil
}

func (s *Server) isClosing() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}

// Shutdown stops accepting, has every call answered that was read, and closes the
// connections. Once ctx ends it waits no longer: it closes those that are left as they
// are, ends the contexts of their calls, and says so in its error. Every goroutine of
// the server has ended when it returns, so a handler that minds no context keeps it
// waiting. A second call waits too.
func (s *Server) Shutdown(ctx context.Context) error {
	first := s.stop()
	gone := make(chan struct{})
	go func() { // ends with the connections, which this function ends
		s.live.Wait()
		close(gone)
	}()
	var err error
	select {
	case <-gone:
	case <-ctx.Done():
		err = s.closeAll(ctx)
		<-gone
	}
	if first {
		close(s.quit)
	}
	s.watcher.Wait()
	s.notices.Settle()
	return err
}

// stop closes the listener and cuts every connection; it is true the first time.
func (s *Server) stop() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosing() {
		return false
	}
	close(s.closing)
	if s.listener != nil {
		s.listener.Close()
	}
	for p := range s.peers {
		p.cut(cutShutdown)
	}
	return true
}

// closeAll closes the connections that are left and says how many there were.
func (s *Server) closeAll(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.peers) == 0 {
		return nil
	}
	for p := range s.peers {
		p.over()
		p.Close()
	}
	return fmt.Errorf("shut down: %d connections closed with answers owed: %w", len(s.peers), context.Cause(ctx))
}
