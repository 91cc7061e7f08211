package tlsidle

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"

	"github.com/gohone/hone/services/internal/server"
)

// Server serves one listener with one stage.
type Server struct {
	server.Front[Stage]
	cfg    Config
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
	s := &Server{cfg: cfg, tls: tlsConfig(cfg.Certificate)}
	s.engine = stage.new(s)
	own, _ := s.engine.(server.Engine)
	s.core = server.New(server.Options[*peer]{
		Stage: stage.Name, MaxConns: cfg.MaxConns, Log: cfg.Log, Engine: own,
	})
	s.Front = server.NewFront(s.core, stage, s.engine.serve)
	return s, nil
}

// Errors of Serve: the server has a listener already; it was shut down before.
var (
	ErrServing  = server.ErrServing
	ErrShutdown = server.ErrShutdown
)

// ended counts a connection that ended for a fault, and says so.
func (s *Server) ended(cause Cause, remote net.Addr, err error) {
	s.tally.ended[cause].Add(1)
	attrs := []slog.Attr{slog.String("stage", s.Stage().Name)}
	if remote != nil {
		attrs = append(attrs, slog.String("remote", remote.String()))
	}
	if err != nil {
		attrs = append(attrs, slog.String("cause", err.Error()))
	}
	s.core.Notices.WarnAs(cause.String(), "connection ended: "+cause.String(), attrs...)
}
