package lab

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/judge"
)

// Measurement is what lasts from the beginning of a measurement to its end, and is the same under load and for programs
// that end by themselves: what was asked, where files lie, what the machine does meanwhile, and the row of the
// comparison.
type Measurement struct {
	*Lab
	Task       Task
	Question   compare.Question // of a comparison
	Started    time.Time
	Rand       *rand.Rand
	Hide       redact.Env // of all that is stored and printed
	Tmp        string     // binaries and probe sockets; removed at the end
	Env        record.Environment
	cpuBefore  machine.CPUTimes
	wall       machine.Wall
	Gauge      *machine.Gauge
	Comparison *ledger.ComparisonDraft // nil for a run
	Referee    *compare.Referee        // nil for a run
	SameSource bool                    // of all variants
	Reach      *reach.Table            // what the load executes of what differs; nil where that is not known
	Unreached  bool                    // nothing that differs is executed
	Cleanup    []func()
}

// Begin makes the temporary directory of a measurement, and ends what killed hones left.
func (l *Lab) Begin(r Task, q compare.Question) (*Measurement, error) {
	key, err := l.Ledger.Key()
	if err != nil {
		return nil, err
	}
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	if said := lifetime.EndOrphans(); said != "" {
		l.Progress.Warn(said)
	}
	return &Measurement{
		Lab: l, Task: r, Question: q, Started: time.Now(), Rand: rand.New(rand.NewPCG(r.Seed, r.Seed)),
		Hide: redact.Env{Key: key, Keep: r.KeepEnv}, Tmp: temp.Path,
		Env:     record.EnvironmentHere(l.Version),
		Cleanup: []func(){func() { temp.Remove() }},
	}, nil
}

// End undoes what begin and its successors did to the machine.
func (m *Measurement) End() {
	for i := len(m.Cleanup) - 1; i >= 0; i-- {
		m.Cleanup[i]()
	}
}

// Open writes the rows of the runs, so that a crash from here on leaves a trace, and watches
// the machine. row has what depends on how samples are taken: target and plan.
func (m *Measurement) Open(all []Built, row ledger.Run) ([]*Side, error) {
	row.Started, row.Machine = m.Started, ledger.MachineKey(m.Env.Description)
	if len(all) > 1 {
		var err error
		if m.Comparison, err = m.Ledger.BeginComparison(ledger.Comparison{Started: m.Started}); err != nil {
			return nil, err
		}
		row.Comparison = m.Comparison.ID()
	}
	var sides []*Side
	for _, b := range all {
		one := b.Binary
		row.Variant, row.Label = one.Variant.Name, one.Variant.Redacted(m.Hide).Label()
		row.Package, row.Commit, row.Dirty, row.BuildID = one.Package, one.Commit, one.Dirty, one.BuildID
		draft, err := m.Ledger.BeginRun(row)
		if err != nil {
			return nil, err
		}
		s := &Side{Built: b, Builds: []*build.Binary{b.Binary}, Draft: draft}
		if len(all) > 1 {
			s.Letter = one.Variant.Name
		}
		for _, note := range slices.Concat(m.Task.Notes, b.Binary.Notes) {
			s.Warn("%s", note)
		}
		sides = append(sides, s)
	}
	if m.Comparison != nil {
		progress.Tell(m.Progress, m.Comparison.ID())
	} else {
		progress.Tell(m.Progress, sides[0].Draft.ID())
	}
	m.cpuBefore, m.wall = machine.ReadCPUTimes(), machine.WatchWall(m.Wall)
	m.Gauge = machine.OpenGauge()
	m.Cleanup = append(m.Cleanup, func() { m.Gauge.Close() })
	return sides, nil
}

// BeginPace begins the time of the measurement: that of a referee, or of a run, which has so many blocks.
func (m *Measurement) BeginPace(blocks int) *compare.Pace {
	if m.Comparison == nil {
		return compare.NewPace(0, blocks, blocks)
	}
	m.Referee = compare.NewReferee(m.Question)
	return m.Referee.Pace
}

// LookAt has the referee look at the blocks of each variant b with A. A run has none: its blocks are enough.
func (m *Measurement) LookAt(blocksWith func(b int) []judge.Block, perBlock time.Duration) (over bool, err error) {
	if m.Referee == nil {
		return true, nil
	}
	var all [][]judge.Block
	for b := 1; b < len(m.Task.Variants); b++ {
		all = append(all, blocksWith(b))
	}
	return m.Referee.Look(all, perBlock)
}

// LookBackAtTheMachine notes what happened to it since open.
func (m *Measurement) LookBackAtTheMachine(sides []*Side) {
	m.Env.StealShare = machine.ReadCPUTimes().StealSince(m.cpuBefore)
	if stepped := m.wall.Stepped(); stepped != "" {
		for _, s := range sides {
			s.Warn("%s", stepped)
		}
	}
}

// Hider makes texts of a document such as may be stored: errors and warnings quote URLs,
// arguments and the environment.
//
// more are entries of environments besides those of the variants, secrets such whose values are secrets in any case.
func (m *Measurement) Hider(more, secrets []string) func(text string) string {
	var env []string
	for _, v := range m.Task.Variants {
		env = slices.Concat(env, v.Env, v.RunEnv)
	}
	return m.Hide.Text(append(env, more...), secrets)
}

// Interrupted turns the consequence of a cancelled ctx into its cause.
func Interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return fail.New(fail.Interrupted, "interrupted").WithHint("what was measured so far is kept: hone history")
	}
	return err
}

// Digest tells texts of one ledger apart, in 64 bits.
func Digest(hide redact.Env, text string) string { return hide.Digest(text)[:16] }
