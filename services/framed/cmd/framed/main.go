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
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/gohone/hone/services/framed"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2 // what package flag uses
)

// grace is how long a shutdown waits for clients that do not read their answers: the
// server's own default for a stalled write, so that none is cut shorter than usual.
const grace = 10 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program, until ctx ends.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	log := slog.New(slog.NewTextHandler(stderr, nil))
	cfg, addr, watched, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		log.Error("bad flags", "err", err)
		return exitUsage
	}
	cfg.Log = log
	if err := serve(ctx, cfg, addr, watched); err != nil {
		log.Error("framed server failed", "err", err)
		return exitFailed
	}
	return exitOK
}

// parse reads the flags into a configuration that is valid, an address, and where to be
// watched.
func parse(args []string, stderr io.Writer) (cfg framed.Config, addr string, watched observation, err error) {
	names := make([]string, len(framed.Stages))
	for i, s := range framed.Stages {
		names[i] = s.Name
	}
	flags := flag.NewFlagSet("framed", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // a fault is logged once, by run
	flags.StringVar(&cfg.Stage, "stage", framed.DefaultStage, "`stage` of the ladder: "+strings.Join(names, ", "))
	flags.StringVar(&addr, "addr", "127.0.0.1:8888", "`host:port` to listen on; port 0 takes a free one")
	flags.IntVar(&cfg.MaxConns, "max-conns", 0, "connections served at a time; 0 means 10,000")
	flags.DurationVar(&cfg.IdleTimeout, "idle-timeout", 0, "close a connection without a request for this long; 0 means 2m")
	flags.DurationVar(&cfg.WriteTimeout, "write-timeout", 0, "reset a connection whose client reads nothing for this long; 0 means 10s")
	flags.StringVar(&watched.metrics, "metrics", "", "`host:port` to serve Prometheus metrics on, at /metrics (published: :8889); empty means not at all")
	flags.StringVar(&watched.pprof, "pprof", "", "`host:port` to serve profiles on, at /debug/pprof/ (published: :6060); empty means not at all")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			flags.SetOutput(stderr)
			flags.PrintDefaults()
		}
		return cfg, "", watched, err
	}
	if flags.NArg() > 0 {
		return cfg, "", watched, fmt.Errorf("unexpected argument %q (every setting is a flag; see -help)", flags.Arg(0))
	}
	return cfg, addr, watched, cfg.Validate()
}

// serve listens on addr and serves until ctx ends. It can be watched to the end.
func serve(ctx context.Context, cfg framed.Config, addr string, watched observation) error {
	server, err := framed.New(cfg)
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err // listen tcp ADDR: bind: address already in use
	}
	defer ln.Close() // before it is the server's; after, the server has
	pages, err := watched.open(server)
	for _, p := range pages {
		defer p.close()
	}
	if err != nil {
		return err
	}
	cfg.Log.Info("listening", "addr", ln.Addr().String(), "stage", server.Stage().Name)
	for _, p := range pages {
		p.serve(cfg.Log)
	}

	served := make(chan error, 1)
	go func() { served <- server.Serve(ln) }() // ends with Shutdown, below
	select {
	case err = <-served:
	case <-ctx.Done():
	}
	deadline, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	return errors.Join(err, server.Shutdown(deadline))
}
