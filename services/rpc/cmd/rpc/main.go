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

	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
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
	cfg, addr, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		log.Error("bad flags", "err", err)
		return exitUsage
	}
	cfg.Log = log
	if err := serve(ctx, cfg, addr); err != nil {
		log.Error("rpc server failed", "err", err)
		return exitFailed
	}
	return exitOK
}

// parse reads the flags into a configuration that is valid, and an address.
func parse(args []string, stderr io.Writer) (cfg rpc.Config, addr string, err error) {
	names := make([]string, len(rpc.Stages))
	for i, s := range rpc.Stages {
		names[i] = s.Name
	}
	flags := flag.NewFlagSet("rpc", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // a fault is logged once, by run
	flags.StringVar(&cfg.Stage, "stage", rpc.DefaultStage, "`stage` of the ladder: "+strings.Join(names, ", "))
	flags.StringVar(&addr, "addr", "127.0.0.1:8000", "`host:port` to listen on; port 0 takes a free one")
	flags.IntVar(&cfg.MaxConns, "max-conns", 0, "connections served at a time; 0 means 10,000")
	flags.IntVar(&cfg.MaxBody, "max-body", 0, "largest body of a request or answer in `bytes`; 0 means 4 MiB")
	flags.DurationVar(&cfg.IdleTimeout, "idle-timeout", 0, "close a connection without a frame for this long; 0 means 2m")
	flags.DurationVar(&cfg.WriteTimeout, "write-timeout", 0, "reset a connection whose client reads nothing for this long; 0 means 10s")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			flags.SetOutput(stderr)
			flags.PrintDefaults()
		}
		return cfg, "", err
	}
	if flags.NArg() > 0 {
		return cfg, "", fmt.Errorf("unexpected argument %q (every setting is a flag; see -help)", flags.Arg(0))
	}
	return cfg, addr, cfg.Validate()
}

// serve listens on addr and serves until ctx ends.
func serve(ctx context.Context, cfg rpc.Config, addr string) error {
	server, err := rpc.New(cfg)
	if err != nil {
		return err
	}
	if err := helloworld.Register(server); err != nil {
		return err
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err // listen tcp ADDR: bind: address already in use
	}
	cfg.Log.Info("listening", "addr", ln.Addr().String(), "stage", server.Stage().Name)

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
