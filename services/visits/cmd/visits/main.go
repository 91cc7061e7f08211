// Command visits serves the visitor counter with one stage of its ladder.
//
//	visits [-stage sharded] [-addr 127.0.0.1:8080] [-log FILE|discard]
//
// It says on stderr where it listens, and ends on SIGINT and SIGTERM once every visit that
// it has read is answered. The exit code is 0 after such an end, 2 for bad flags, 1 for
// anything else.
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
	"sync"
	"syscall"

	"github.com/gohone/hone/services/visits"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2 // what package flag uses
)

// discard is the value of -log for no log. A file of that name is ./discard.
const discard = "discard"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stderr)
	stop()
	os.Exit(code)
}

// settings are what the flags say.
type settings struct {
	stage visits.Stage
	cfg   visits.Config
	addr  string
	log   string
}

// run is the program, until ctx ends.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	log := slog.New(slog.NewTextHandler(stderr, nil))
	s, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		log.Error("bad flags", "err", err)
		return exitUsage
	}
	if err := s.serve(ctx, log); err != nil {
		log.Error("visits server failed", "err", err)
		return exitFailed
	}
	return exitOK
}

func parse(args []string, stderr io.Writer) (settings, error) {
	names := make([]string, len(visits.Stages))
	for i, s := range visits.Stages {
		names[i] = s.Name
	}
	var s settings
	flags := flag.NewFlagSet("visits", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // a fault is logged once, by run
	stage := flags.String("stage", visits.DefaultStage, "`stage` of the ladder: "+strings.Join(names, ", "))
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8080", "`host:port` to listen on; port 0 takes a free one")
	flags.StringVar(&s.log, "log", discard, "`file` that a line for each visit is appended to; discard: none")
	flags.IntVar(&s.cfg.MaxNames, "max-names", 0, "names that are counted by themselves, the others together; 0 means 100,000")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			flags.SetOutput(stderr)
			flags.PrintDefaults()
		}
		return settings{}, err
	}
	if flags.NArg() > 0 {
		return settings{}, fmt.Errorf("unexpected argument %q (every setting is a flag; see -help)", flags.Arg(0))
	}
	var err error
	s.stage, err = visits.LookupStage(*stage)
	return s, errors.Join(err, s.cfg.Validate())
}

// serve opens the log and serves until ctx ends.
func (s settings) serve(ctx context.Context, log *slog.Logger) error {
	if s.log != discard {
		f, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err // says which file
		}
		defer f.Close()
		s.cfg.Log = &visitLog{out: f, log: log}
	}
	counter, err := s.stage.New(s.cfg)
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", s.addr)
	if err != nil {
		return err // listen tcp ADDR: bind: address already in use
	}
	log.Info("listening", "addr", ln.Addr().String(), "stage", s.stage.Name)
	return visits.Serve(ctx, ln, counter)
}

// visitLog says once that the log of visits cannot be written to. Visits are answered all
// the same.
type visitLog struct {
	out  io.Writer
	log  *slog.Logger
	once sync.Once
}

func (v *visitLog) Write(p []byte) (int, error) {
	if _, err := v.out.Write(p); err != nil {
		v.once.Do(func() { v.log.Error("visits are not logged; said once", "err", err) })
	}
	return len(p), nil
}
