// Command idleconns opens TLS connections to a server and keeps them, sends a request
// on each, then requests at a fixed rate spread over them, checks every answer, and
// says how much memory the server took for each connection.
//
//	idleconns -addr 127.0.0.1:8443 -conns 1000 -rate 100 -for 10s -pid $(pidof tlsidle)
//
// Certificates are not verified: it is for servers of one's own. Memory is what Linux
// says of the process in /proc (VmRSS and its parts), before the first connection and,
// with all of them open, once the requests are over and -settle has passed. Nothing is
// asked of the server itself, so that any server can be measured. Those first
// connections also bring code and tables into memory that are there once, which
// -warm N takes out of the figure: it opens and closes N connections first.
//
// The exit code is 0 if every request was answered right, 1 if not or if something
// failed, 2 for bad flags.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gohone/hone/services/internal/program"
	"github.com/gohone/hone/services/internal/settings"
	"github.com/gohone/hone/services/tlsidle"
)

func main() { os.Exit(program.UntilSignalled(run)) }

// plan is what the flags say.
type plan struct {
	Addr   string
	Path   string
	Conns  int
	Warm   int
	RateHz float64
	For    time.Duration
	Settle time.Duration
	Body   int // bytes of the body that is right; 0 for tlsidle's document, byte for byte
	PID    int // 0 for no memory
	JSON   bool
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var p plan
	return program.Tool("idleconns", stderr, func() (err error) {
		p, err = parse(args, stderr)
		return err
	}, func() error {
		r, err := measure(ctx, p)
		if err != nil {
			return err
		}
		if p.JSON {
			err = json.NewEncoder(stdout).Encode(r)
		} else {
			err = r.text(stdout)
		}
		if err != nil {
			return fmt.Errorf("write result: %w", err)
		}
		if !r.good() {
			return errors.New("not every request was sent and answered right")
		}
		return nil
	})
}

// parse reads the flags.
func parse(args []string, stderr io.Writer) (p plan, err error) {
	flags := flag.NewFlagSet("idleconns", flag.ContinueOnError)
	flags.StringVar(&p.Addr, "addr", "127.0.0.1:8443", "`host:port` of the server")
	flags.StringVar(&p.Path, "path", "/", "path of the requests")
	flags.IntVar(&p.Conns, "conns", 1000, "connections to keep open")
	flags.IntVar(&p.Warm, "warm", 0, "connections to open, use once and close before the first look at memory")
	flags.Float64Var(&p.RateHz, "rate", 100, "requests per second, over all connections in turn, after one on each; 0 sends no more")
	flags.DurationVar(&p.For, "for", 10*time.Second, "how long to send requests")
	flags.DurationVar(&p.Settle, "settle", 3*time.Second, "how long to rest before each look at memory")
	flags.IntVar(&p.Body, "body", 0, fmt.Sprintf("`bytes` of a right answer's body; 0 means tlsidle's own %d, byte for byte", tlsidle.BodySize))
	flags.IntVar(&p.PID, "pid", 0, "`process` of the server, to measure its memory")
	flags.BoolVar(&p.JSON, "json", false, "write the result as JSON")
	if err := program.Parse(flags, args, stderr); err != nil {
		return p, err
	}
	return p, p.validate()
}

// validate reports all faults at once.
func (p plan) validate() error {
	return settings.Fill(
		settings.Check(p.Conns >= 1, "-conns is %d, want 1 or more", p.Conns),
		settings.Check(p.RateHz >= 0 && p.RateHz <= maxRateHz, "-rate is %v, want 0 to %v", p.RateHz, maxRateHz),
		settings.Check(p.Warm >= 0, "-warm is %d, want 0 or more", p.Warm),
		settings.Check(p.Body >= 0, "-body is %d, want 0 or more", p.Body),
		settings.Check(p.PID >= 0, "-pid is %d, want 0 or more", p.PID),
		settings.Check(p.For >= 0, "-for is %v, want 0 or more", p.For),
		settings.Check(p.Settle >= 0, "-settle is %v, want 0 or more", p.Settle),
	)
}

// maxRateHz keeps the pause between two requests above what this program's timers can
// do without lateness of their own: about a millisecond.
const maxRateHz = 1000.0
