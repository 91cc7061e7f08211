package lab

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/gohone/hone/internal/program/loadcmd"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/load"
)

// Loader loads one start: hone's own sessions, agents, or a load command of the user's.
type Loader interface {
	Run(ctx context.Context, g load.Stretch, each func(load.Slice)) error
	Slice(ctx context.Context, d, drain time.Duration) (load.Slice, error)
	EndSending()
	Close() (load.Counts, error)
}

var (
	_ Loader = (*load.Session)(nil)
	_ Loader = (*loadcmd.Session)(nil)
)

// withLoadCommand completes a request whose load is a command, and refuses what that command cannot do. The slices are its
// executions, which take whole seconds.
func (r Request) withLoadCommand(workDir string) (Request, error) {
	if r.Load == nil {
		return r, nil
	}
	c := r.Load.WithDefaults()
	r.Load = &c
	if err := c.Check(); err != nil {
		return r, err
	}
	if _, err := c.Find(workDir); err != nil {
		return r, err
	}
	refuse := func(what, why string) error {
		return fail.New(fail.BadInput, "%s and a load command (--load-cmd): %s", what, why).WithHint("leave one of them out")
	}
	switch {
	case r.Target != "" || r.Path != "":
		return r, refuse("a target", "the command itself says what it loads; {host}, {port} and {socket} in it are where the program listens")
	case r.RateHz > 0:
		return r, refuse("a rate", "the command itself says how fast it is")
	case r.FlightTime > 0:
		return r, refuse("the flight recorder", "the slowest answer is not known")
	case r.Calibrate:
		return r, refuse("a calibration", "hone calibrates its own load")
	}
	for _, g := range r.Gates {
		if g.Measure.Quantile > 0 {
			return r, fail.New(fail.BadInput, "gate %s: with a load command (--load-cmd) hone sees no latency", g.Text).
				WithHint("gate what the program uses up, such as cpu<+2%%, allocs<=0 or rss<+5%%; or let hone load it")
		}
	}
	r.Slice = max(r.Slice, loadcmd.Slice)
	return r, nil
}

// openLoadCommand takes the place of connect.
func (s *start) openLoadCommand() error {
	names := maps.Clone(s.process.Templates())
	maps.Copy(names, s.needNames())
	session, err := loadcmd.Open(*s.request.Load, loadcmd.Target{
		Address: s.process.Address(), Templates: names, Connections: s.request.Plan.Connections,
		Dial: s.process.Dial, Page: s.process.Fill(s.request.Metrics.Page),
	}, loadcmd.Options{Guard: s.host.guard, CPUs: s.host.plan.CPUs, Grace: s.host.grace, Dir: s.host.workDir, Hard: s.host.hard})
	if err != nil {
		return err
	}
	s.session = session
	return nil
}

// judgeCommand returns the doubts about what a load command did: it alone knows whether answers were right.
func judgeCommand(t load.Tally) []load.Doubt {
	if t.Answered > 0 {
		return nil
	}
	return []load.Doubt{{Name: load.DoubtNoAnswer, Text: "the load command carried out no operation", Fatal: true}}
}

// loadRecord is what the document of a run says of its load command; nil without one.
func (r Request) loadRecord(operations uint64) *record.LoadCommand {
	c := r.storableLoad()
	if c == nil {
		return nil
	}
	return &record.LoadCommand{Command: *c, Operations: operations}
}

// storableLoad is the load command without what may be a secret; nil without one.
func (r Request) storableLoad() *loadcmd.Command {
	if r.Load == nil {
		return nil
	}
	c := *r.Load
	c.Words = redact.Args(slices.Clone(c.Words))
	return &c
}

// during is the part of the operations that were carried out while something else ran, at an even rate. hone's own load
// ends with it; a load command goes on to its end.
func (c *capturing) during(operations uint64, whole, part time.Duration) uint64 {
	if c.request.Load == nil || whole <= 0 || part >= whole {
		return operations
	}
	return uint64(float64(operations) * float64(part) / float64(whole))
}
