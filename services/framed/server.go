package framed

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/gohone/hone/services/internal/notices"
)

// Server serves one listener with one stage.
type Server struct {
	cfg     Config
	stage   Stage
	notices *notices.Log

	closing chan struct{}  // closed when Shutdown begins
	quit    chan struct{}  // closed when the last connection of a shutdown has gone
	live    sync.WaitGroup // one for each connection; added to under mu while closing is open
	lasting sync.WaitGroup // the watchdog and the crowd's goroutines; as live

	mu        sync.Mutex
	listener  net.Listener
	peers     map[*peer]struct{}
	crowd     crowd    // nil until the stage joins one
	connected int      // peers and the crowd's connections
	ended     Counters // of peers that have gone, and faults of all
}

// crowd is a set of connections that a stage serves without a goroutine for each.
type crowd interface {
	// post has the crowd's goroutines carry out orders soon. It does not wait.
	post(orders)
	// add adds to c what the connections have moved, those that have gone included.
	add(c *Counters)
}

// orders is a set of what a Server asks of a crowd.
type orders uint8

const (
	orderSweep  orders = 1 << iota // end the connections that are idle or stalled
	orderFinish                    // end all, now and later, once what was read is answered
	orderAbort                     // close all as they are, now and later
	orderQuit                      // every connection has gone: end the goroutines
)

// New checks cfg and returns a server that does not listen yet.
func New(cfg Config) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("configure framed server: %w", err)
	}
	cfg = cfg.withDefaults()
	stage, err := LookupStage(cfg.Stage)
	if err != nil {
		return nil, fmt.Errorf("configure framed server: %w", err)
	}
	return &Server{
		cfg:     cfg,
		stage:   stage,
		notices: notices.New(cfg.Log, "kind"),
		closing: make(chan struct{}),
		quit:    make(chan struct{}),
		peers:   make(map[*peer]struct{}),
	}, nil
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
	s.lasting.Go(func() { s.watch(s.quit) })
	return nil
}

// order passes o to the crowd, if there is one. The caller holds mu.
func (s *Server) order(o orders) {
	if s.crowd != nil {
		s.crowd.post(o)
	}
}

func (s *Server) isClosing() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}

// Shutdown stops accepting, has every request answered that was read, and closes the
// connections. Once ctx ends it waits no longer, closes those that are left as they
// are, and says so in its error. Every goroutine of the server has ended when it
// returns. A second call waits too.
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
		s.dismiss()
	}
	s.lasting.Wait()
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
	s.order(orderFinish)
	return true
}

// dismiss ends the goroutines that outlast connections.
func (s *Server) dismiss() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.quit)
	s.order(orderQuit)
}

// closeAll closes the connections that are left and says how many there were.
func (s *Server) closeAll(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.connected == 0 {
		return nil
	}
	for p := range s.peers {
		p.Close()
	}
	s.order(orderAbort)
	return fmt.Errorf("shut down: %d connections closed with answers owed: %w", s.connected, context.Cause(ctx))
}
