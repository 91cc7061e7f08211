// Command chat serves the chat protocol with one stage of its ladder.
//
//	chat [-stage final] [-addr 127.0.0.1:8890]
//
// It says on stderr where it listens, and ends on SIGINT and SIGTERM once every
// request that it has read is acked. The exit code is 0 after such an end, 2 for bad
// flags, 1 for anything else.
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

	"github.com/gohone/hone/services/chat"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2 // what package flag uses
)

// grace is how long a shutdown waits for clients that do not read: the server's own
// default for a stalled write, so that none is cut shorter than usual.
const grace = 10 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// settings is what the flags say.
type settings struct {
	chat.Config
	addr    string
	journal string
}

// run is the program, until ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
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
	if err := serve(ctx, set, stdout); err != nil {
		log.Error("chat server failed", "err", err)
		return exitFailed
	}
	return exitOK
}

// parse reads the flags into settings that are valid.
func parse(args []string, stderr io.Writer) (set settings, err error) {
	names := make([]string, len(chat.Stages))
	for i, s := range chat.Stages {
		names[i] = s.Name
	}
	flags := flag.NewFlagSet("chat", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // a fault is logged once, by run
	flags.StringVar(&set.Stage, "stage", chat.DefaultStage, "`stage` of the ladder: "+strings.Join(names, ", "))
	flags.StringVar(&set.addr, "addr", "127.0.0.1:8890", "`host:port` to listen on; port 0 takes a free one")
	flags.StringVar(&set.journal, "journal", "", "`file` that takes a line per message, appended; - is stdout; empty discards the lines")
	flags.IntVar(&set.MaxConns, "max-conns", 0, "connections served at a time; 0 means 25,000")
	flags.IntVar(&set.MaxRoom, "max-room", 0, "members of a room; 0 means 1,000")
	flags.IntVar(&set.QueueBytes, "queue-bytes", 0, "reset a connection for which more than this waits (stage final); 0 means 256 kB")
	flags.DurationVar(&set.IdleTimeout, "idle-timeout", 0, "close a connection without an accepted request for this long; 0 means 5m")
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
	return set, set.Validate()
}

// serve listens and serves until ctx ends.
func serve(ctx context.Context, set settings, stdout io.Writer) (err error) {
	switch set.journal {
	case "":
	case "-":
		set.Journal = stdout
	default:
		f, err := os.OpenFile(set.journal, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("open journal: %w", err)
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		set.Journal = f
	}
	server, err := chat.New(set.Config)
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
