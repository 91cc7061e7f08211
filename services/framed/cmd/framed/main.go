// Command framed serves the framed protocol with one stage of its ladder.
//
//	framed [-stage reactor] [-addr 127.0.0.1:8888] [-metrics :8889] [-pprof 127.0.0.1:6060]
//
// It says on stderr where it listens, and ends on SIGINT and SIGTERM once every
// request that it has read is answered. The exit code is 0 after such an end, 2 for
// bad flags, 1 for anything else.
package main

import (
	"context"
	"flag"
	"log/slog"

	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/internal/ladder"
	"github.com/gohone/hone/services/internal/program"
)

func main() { program.Main("framed", new(settings)) }

// settings is what the flags say.
type settings struct {
	framed.Config
	addr    string
	watched observation
}

func (s *settings) Flags(flags *flag.FlagSet) {
	flags.StringVar(&s.Stage, "stage", framed.DefaultStage, "`stage` of the ladder: "+ladder.Names(framed.Stages))
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8888", "`host:port` to listen on; port 0 takes a free one")
	flags.IntVar(&s.MaxConns, "max-conns", 0, "connections served at a time; 0 means 10,000")
	flags.DurationVar(&s.IdleTimeout, "idle-timeout", 0, "close a connection without a request for this long; 0 means 2m")
	flags.DurationVar(&s.WriteTimeout, "write-timeout", 0, "reset a connection whose client reads nothing for this long; 0 means 10s")
	flags.StringVar(&s.watched.metrics, "metrics", "", "`host:port` to serve Prometheus metrics on, at /metrics (published: :8889); empty means not at all")
	flags.StringVar(&s.watched.pprof, "pprof", "", "`host:port` to serve profiles on, at /debug/pprof/ (published: :6060); empty means not at all")
}

// Serve can be watched to the end.
func (s *settings) Serve(ctx context.Context, log *slog.Logger) error {
	s.Log = log
	server, err := framed.New(s.Config)
	if err != nil {
		return err
	}
	pages, err := s.watched.open(server)
	for _, p := range pages {
		defer p.close()
	}
	if err != nil {
		return err
	}
	ln, err := program.Open(log, s.addr, server.Stage().Name)
	if err != nil {
		return err
	}
	for _, p := range pages {
		p.serve(log)
	}
	return program.ServeUntil(ctx, ln, server)
}
