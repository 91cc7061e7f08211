package tlsidle

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"

	"github.com/gohone/hone/services/internal/notices"
)

// Server serves one listener with one stage.
type Server struct {
	cfg     Config
	stage   Stage
	tls     *tls.Config
	engine  engine
	tally   tally
	notices *notices.Log

	closing chan struct{} // closed when Shutdown begins

	mu       sync.Mutex
	listener net.Listener
}

// engine is how a stage serves.
type engine interface {
	// serve accepts the connections of ln and answers them until ln is closed.
	serve(ln net.Listener) error
	// shutdown is called once, after the listener has been closed, maybe without a
	// serve before it. It has every request answered that was read and ends the
	// connections; once ctx ends it cuts those that are left and says how many. Every
	// goroutine of the stage but serve's own caller has ended when it returns.
	shutdown(ctx context.Context) error
}

// New checks cfg and returns a server that does not listen yet.
func New(cfg Config) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("configure tlsidle server: %w", err)
	}
	cfg = cfg.withDefaults()
	stage, err := LookupStage(cfg.Stage)
	if err != nil {
		return nil, fmt.Errorf("configure tlsidle server: %w", err)
	}
	if cfg.Certificate == nil {
		if cfg.Certificate, err = SelfSigned(); err != nil {
			return nil, fmt.Errorf("configure tlsidle server: %w", err)
		}
	}
	s := &Server{
		cfg:     cfg,
		stage:   stage,
		tls:     tlsConfig(cfg.Certificate),
		notices: notices.New(cfg.Log, "cause"),
		closing: make(chan struct{}),
	}
	if s.engine, err = stage.new(s); err != nil {
		return nil, fmt.Errorf("start stage %s: %w", stage.Name, err)
	}
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
	err := s.engine.serve(ln)
	if s.isClosing() {
		return nil
	}
	ln.Close()
	return fmt.Errorf("serve %v: %w", ln.Addr(), err)
}

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

// Shutdown stops accepting, has every request answered that was read, and closes the
// connections, idle ones at once. Once ctx ends it waits no longer, closes those that
// are left as they are, and says so in its error. A second call returns at once.
// Shutdown is needed also where Serve was never called: a stage may have goroutines
// from New on.
func (s *Server) Shutdown(ctx context.Context) error {
	if !s.stop() {
		return nil
	}
	err := s.engine.shutdown(ctx)
	s.notices.Settle()
	return err
}

// stop closes the listener; it is true the first time.
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
	return true
}

// cutShort is the error of a shutdown whose time was up.
func cutShort(ctx context.Context, left int) error {
	return fmt.Errorf("shut down: %d connections closed with answers owed: %w", left, context.Cause(ctx))
}

// ended counts a connection that ended for a fault, and says so.
func (s *Server) ended(cause Cause, remote net.Addr, err error) {
	s.tally.ended[cause].Add(1)
	attrs := []slog.Attr{slog.String("stage", s.stage.Name)}
	if remote != nil {
		attrs = append(attrs, slog.String("remote", remote.String()))
	}
	if err != nil {
		attrs = append(attrs, slog.String("cause", err.Error()))
	}
	s.notices.WarnAs(cause.String(), "connection ended: "+cause.String(), attrs...)
}
