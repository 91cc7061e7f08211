package tlsidle

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"

	"github.com/gohone/hone/services/internal/server"
)

// Server serves one listener with one stage.
type Server struct {
	cfg    Config
	stage  Stage
	tls    *tls.Config
	core   *server.Core[*peer]
	engine engine
	tally  tally
}

// engine is how a stage serves. One whose connections are no peers is a server.Engine too.
type engine interface {
	// serve answers the connections that ln admits until ln is closed.
	serve(ln net.Listener) error
}

// New checks cfg and returns a server that does not listen yet.
func New(cfg Config) (*Server, error) {
	stage, err := cfg.fill()
	if err == nil && cfg.Certificate == nil {
		cfg.Certificate, err = SelfSigned()
	}
	if err != nil {
		return nil, fmt.Errorf("configure tlsidle server: %w", err)
	}
	s := &Server{cfg: cfg, stage: stage, tls: tlsConfig(cfg.Certificate)}
	s.engine = stage.new(s)
	own, _ := s.engine.(server.Engine)
	s.core = server.New(server.Options[*peer]{
		Stage: stage.Name, MaxConns: cfg.MaxConns, Log: cfg.Log, Engine: own,
	})
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
func (s *Server) Serve(ln net.Listener) error { return s.core.Serve(ln, s.engine.serve) }

// Shutdown stops accepting, has every request answered that was read, and closes the
// connections, idle ones at once. Once ctx ends it waits no longer, closes those that
// are left as they are, and says so in its error. A second call waits too.
func (s *Server) Shutdown(ctx context.Context) error { return s.core.Shutdown(ctx) }

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
	s.core.Notices.WarnAs(cause.String(), "connection ended: "+cause.String(), attrs...)
}
