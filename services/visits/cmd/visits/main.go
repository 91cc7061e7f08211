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
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/gohone/hone/services/internal/ladder"
	"github.com/gohone/hone/services/internal/program"
	"github.com/gohone/hone/services/visits"
)

// discard is the value of -log for no log. A file of that name is ./discard.
const discard = "discard"

func main() { program.Main("visits", new(settings)) }

// settings is what the flags say.
type settings struct {
	visits.Config
	stage, addr, log string
}

func (s *settings) Flags(flags *flag.FlagSet) {
	flags.StringVar(&s.stage, "stage", visits.DefaultStage, "`stage` of the ladder: "+ladder.Names(visits.Stages))
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8080", "`host:port` to listen on; port 0 takes a free one")
	flags.StringVar(&s.log, "log", discard, "`file` that a line for each visit is appended to; discard: none")
	flags.IntVar(&s.MaxNames, "max-names", 0, "names that are counted by themselves, the others together; 0 means 100,000")
}

func (s *settings) Validate() error {
	_, err := visits.LookupStage(s.stage)
	return errors.Join(err, s.Config.Validate())
}

// Serve opens the log and serves until ctx ends.
func (s *settings) Serve(ctx context.Context, log *slog.Logger) error {
	stage, err := visits.LookupStage(s.stage)
	if err != nil {
		return err
	}
	if s.log != discard {
		f, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err // says which file
		}
		defer f.Close()
		s.Log = &visitLog{out: f, log: log}
	}
	counter, err := stage.New(s.Config)
	if err != nil {
		return err
	}
	ln, err := program.Open(log, s.addr, s.stage)
	if err != nil {
		return err
	}
	return visits.Serve(ctx, ln, counter)
}

// visitLog says once that the log of visits cannot be written to. Visits are still
// answered.
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
