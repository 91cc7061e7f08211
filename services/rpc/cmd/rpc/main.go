// Command rpc serves /helloworld.Greeter/SayHello with one stage of the ladder of
// package rpc.
//
//	rpc [-stage pipelined] [-addr 127.0.0.1:8000]
//
// It says on stderr where it listens, and ends on SIGINT and SIGTERM once every call
// that it has read is answered. The exit code is 0 after such an end, 2 for bad flags,
// 1 for anything else.
package main

import (
	"context"
	"flag"
	"log/slog"

	"github.com/gohone/hone/services/internal/ladder"
	"github.com/gohone/hone/services/internal/program"
	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
)

func main() { program.Main("rpc", new(settings)) }

// settings is what the flags say.
type settings struct {
	rpc.Config
	addr string
}

func (s *settings) Flags(flags *flag.FlagSet) {
	flags.StringVar(&s.Stage, "stage", rpc.DefaultStage, "`stage` of the ladder: "+ladder.Names(rpc.Stages))
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8000", "`host:port` to listen on; port 0 takes a free one")
	flags.IntVar(&s.MaxConns, "max-conns", 0, "connections served at a time; 0 means 10,000")
	flags.IntVar(&s.MaxBody, "max-body", 0, "largest body of a request or answer in `bytes`; 0 means 4 MiB")
	flags.DurationVar(&s.IdleTimeout, "idle-timeout", 0, "close a connection without a frame for this long; 0 means 2m")
	flags.DurationVar(&s.WriteTimeout, "write-timeout", 0, "reset a connection whose client reads nothing for this long; 0 means 10s")
}

func (s *settings) Serve(ctx context.Context, log *slog.Logger) error {
	s.Log = log
	server, err := rpc.New(s.Config)
	if err != nil {
		return err
	}
	if err := helloworld.Register(server); err != nil {
		return err
	}
	return program.Listen(ctx, log, s.addr, server.Stage().Name, server)
}
