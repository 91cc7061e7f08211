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
	"log/slog"
	"os"

	"github.com/gohone/hone/services/chat"
	"github.com/gohone/hone/services/internal/ladder"
	"github.com/gohone/hone/services/internal/program"
)

func main() { program.Main("chat", new(settings)) }

// settings is what the flags say.
type settings struct {
	chat.Config
	addr    string
	journal string
	// compress and lines are on unless they are switched off.
	compress, lines bool
}

func (s *settings) Flags(flags *flag.FlagSet) {
	flags.StringVar(&s.Stage, "stage", chat.DefaultStage, "`stage` of the ladder: "+ladder.Names(chat.Stages))
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8890", "`host:port` to listen on; port 0 takes a free one")
	flags.StringVar(&s.journal, "journal", "", "`file` that takes a line per message, appended; - is stdout; empty discards the lines")
	flags.BoolVar(&s.compress, "compress", true, "compress the texts of broadcasts; without it they are stored in their zlib streams")
	flags.BoolVar(&s.lines, "lines", true, "make a line for the journal of each message, also where there is no journal")
	flags.IntVar(&s.MaxConns, "max-conns", 0, "connections served at a time; 0 means 25,000")
	flags.IntVar(&s.MaxRoom, "max-room", 0, "members of a room; 0 means 1,000")
	flags.IntVar(&s.QueueBytes, "queue-bytes", 0, "reset a connection for which more than this waits (stage final); 0 means 256 kB")
	flags.DurationVar(&s.IdleTimeout, "idle-timeout", 0, "close a connection without an accepted request for this long; 0 means 5m")
	flags.DurationVar(&s.WriteTimeout, "write-timeout", 0, "reset a connection whose client reads nothing for this long; 0 means 10s")
}

func (s *settings) Serve(ctx context.Context, log *slog.Logger) (err error) {
	s.Log, s.Stored, s.NoLines = log, !s.compress, !s.lines
	switch s.journal {
	case "":
	case "-":
		s.Journal = os.Stdout
	default:
		f, failed := os.OpenFile(s.journal, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if failed != nil {
			return fmt.Errorf("open journal: %w", failed)
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		s.Journal = f
	}
	server, err := chat.New(s.Config)
	if err != nil {
		return err
	}
	return program.Listen(ctx, log, s.addr, server.Stage().Name, server)
}
