package service

import (
	"maps"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/loadcmd"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

var (
	_ lab.Loader = (*load.Session)(nil)
	_ lab.Loader = (*loadcmd.Session)(nil)
)

// withLoadCommand completes a request whose load is a command, and refuses what that command cannot do. The slices are
// its executions, which take whole seconds.
func withLoadCommand(r lab.Task, workDir string) (lab.Task, error) {
	if !r.LoadCommand.Given() {
		return r, nil
	}
	r.LoadCommand = r.LoadCommand.WithDefaults()
	if err := loadcmd.Check(r.LoadCommand, workDir); err != nil {
		return r, err
	}
	refuse := func(what, why string) error {
		return fail.New(fail.BadInput, "%s and a load command (--load-cmd): %s", what,
			why).WithHint("leave one of them out")
	}
	switch {
	case r.Target != "" || r.Path != "":
		return r, refuse("a target",
			"the command itself says what it loads; {host}, {port} and {socket} in it are where the program listens")
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
	session, err := loadcmd.Open(s.task.LoadCommand, loadcmd.Target{
		Address: s.process.Address(), Templates: names, Connections: s.task.Plan.Connections,
		Dial: s.process.Dial, Page: s.process.Fill(s.task.Metrics.Page),
	}, loadcmd.Options{Guard: s.host.guard, CPUs: s.host.plan.CPUs, Grace: s.host.grace, Dir: s.host.workDir,
		Hard: s.host.hard})
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
func loadRecord(r lab.Task, operations uint64) *record.LoadCommand {
	if !r.LoadCommand.Given() {
		return nil
	}
	return &record.LoadCommand{LoadCommand: r.LoadCommand.Redacted(), Operations: operations}
}
