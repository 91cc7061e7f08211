// Command tlsidle serves a 16,000-byte JSON document over HTTPS with one stage of its
// ladder.
//
//	tlsidle [-stage parked] [-addr 127.0.0.1:8443] [-cert cert.pem -key key.pem]
//
// It says on stderr where it listens, and ends on SIGINT and SIGTERM once every
// request that it has read is answered. The exit code is 0 after such an end, 2 for
// bad flags, 1 for anything else.
package main

import (
	"context"
	"crypto/tls"
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

	"github.com/gohone/hone/services/tlsidle"
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

// settings is what the flags say.
type settings struct {
	tlsidle.Config
	addr, cert, key string
}

// run is the program, until ctx ends.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	log := slog.New(slog.NewTextHandler(stderr, nil))
	set, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		log.Error("bad flags", "err", err)
		return exitUsage
	}
	set.Log = log
	if err := serve(ctx, set); err != nil {
		log.Error("tlsidle server failed", "err", err)
		return exitFailed
	}
	return exitOK
}

// parse reads the flags into a configuration that is valid, and where to listen.
func parse(args []string, stderr io.Writer) (set settings, err error) {
	names := make([]string, len(tlsidle.Stages))
	for i, s := range tlsidle.Stages {
		names[i] = s.Name
	}
	flags := flag.NewFlagSet("tlsidle", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // a fault is logged once, by run
	flags.StringVar(&set.Stage, "stage", tlsidle.DefaultStage, "`stage` of the ladder: "+strings.Join(names, ", "))
	flags.StringVar(&set.addr, "addr", "127.0.0.1:8443", "`host:port` to listen on; port 0 takes a free one")
	flags.StringVar(&set.cert, "cert", "", "PEM `file` of the certificate chain; without it one is made for localhost, self-signed")
	flags.StringVar(&set.key, "key", "", "PEM `file` of the certificate's key")
	flags.IntVar(&set.MaxConns, "max-conns", 0, "connections served at a time; 0 means 20,000")
	flags.DurationVar(&set.HandshakeTimeout, "handshake-timeout", 0, "close a connection whose handshake takes longer; 0 means 10s")
	flags.DurationVar(&set.RequestTimeout, "request-timeout", 0, "close a connection whose request takes longer to come; 0 means 10s")
	flags.DurationVar(&set.IdleTimeout, "idle-timeout", 0, "close a connection without a request for this long; 0 means 5m")
	flags.DurationVar(&set.WriteTimeout, "write-timeout", 0, "reset a connection whose client reads nothing for this long; 0 means 10s")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			flags.SetOutput(stderr)
			flags.PrintDefaults()
		}
		return set, err
	}
	if flags.NArg() > 0 {
		return set, fmt.Errorf("unexpected argument %q (every setting is a flag; see -help)", flags.Arg(0))
	}
	if (set.cert == "") != (set.key == "") {
		return set, errors.New("-cert and -key go together")
	}
	return set, set.Validate()
}

// serve listens and serves until ctx ends.
func serve(ctx context.Context, set settings) error {
	if set.cert != "" {
		pair, err := tls.LoadX509KeyPair(set.cert, set.key)
		if err != nil {
			return fmt.Errorf("load certificate %q and key %q: %w", set.cert, set.key, err)
		}
		set.Certificate = &pair
	}
	server, err := tlsidle.New(set.Config)
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", set.addr)
	if err != nil {
		return err // listen tcp ADDR: bind: address already in use
	}
	set.Log.Info("listening", "addr", ln.Addr().String(), "stage", server.Stage().Name)

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
