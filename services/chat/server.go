package chat

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
	answer  func(*peer) error // the stage's, for one connection
	hub     *hub
	notices *notices.Log
	journal *journal
	queued  atomic.Int64 // bytes that wait for slow clients, all together

	closing chan struct{}  // closed when Shutdown begins
	quit    chan struct{}  // closed when the last connection of a shutdown has gone
	live    sync.WaitGroup // the peers' goroutines; added to under mu while closing is open
	watcher sync.WaitGroup // the watchdog

	mu       sync.Mutex
	listener net.Listener
	peers    map[*peer]struct{}
	ended    Counters // of the connections that have gone
}

// New checks cfg and returns a server that does not listen yet.
func New(cfg Config) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("configure chat server: %w", err)
	}
	cfg = cfg.withDefaults()
	stage, err := LookupStage(cfg.Stage)
	if err != nil {
		return nil, fmt.Errorf("configure chat server: %w", err)
	}
	log := notices.New(cfg.Log, "kind")
	s := &Server{
		cfg:     cfg,
		stage:   stage,
		hub:     newHub(cfg.MaxRoom),
		notices: log,
		journal: &journal{notices: log, w: cfg.Journal},
		closing: make(chan struct{}),
		quit:    make(chan struct{}),
		peers:   make(map[*peer]struct{}),
	}
	s.answer = stage.open(s)
	return s, nil
}

// Stage returns the stage that the server serves with.
func (s *Server) Stage() Stage { return s.stage }

// Errors of Serve that a caller may want to tell apart.
var (
	// ErrServing means that the server has a listener already.
	ErrServing = errors.New("server serves a listener already")
	// ErrShutdown means that Serve was called after Shutdown.
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
	err := s.acceptAll(ln)
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

// Shutdown stops accepting, has every request acked that was read, and closes the
// connections. Once ctx ends it waits no longer, closes those that are left as they
// are, and says so in its error. Every goroutine of the server has ended, and the
// journal is written, when it returns. A second call waits too.
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
	s.journal.flush()
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
		p.Close()
	}
	return fmt.Errorf("shut down: %d connections closed with bytes owed: %w", len(s.peers), context.Cause(ctx))
}
