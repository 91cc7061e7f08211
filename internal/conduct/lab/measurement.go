package lab

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/judge"
)

// measurement is what lasts from the beginning of Measure or MeasureOnce to its end, and is
// the same for both: what was asked, where files lie, what the machine does meanwhile, and
// the row of the comparison.
type measurement struct {
	*Lab
	task       Task
	question   compare.Question // of a comparison
	started    time.Time
	rand       *rand.Rand
	hide       redact.Env // of all that is stored and printed
	tmp        string     // binaries and probe sockets; removed at the end
	env        record.Environment
	cpuBefore  machine.CPUTimes
	wall       machine.Wall
	gauge      *machine.Gauge
	comparison *ledger.ComparisonDraft // nil for a run
	referee    *compare.Referee        // nil for a run
	sameSource bool                    // of all variants
	cleanup    []func()
}

// begin makes the temporary directory of a measurement, and ends what killed hones left.
func (l *Lab) begin(r Task, q compare.Question) (*measurement, error) {
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
	return &measurement{
		Lab: l, task: r, question: q, started: time.Now(), rand: rand.New(rand.NewPCG(r.Seed, r.Seed)),
		hide: redact.Env{Key: key, Keep: r.KeepEnv}, tmp: temp.Path,
		env:     record.Environment{Hone: l.Version, Description: machine.Describe()},
		cleanup: []func(){func() { temp.Remove() }},
	}, nil
}

// end undoes what begin and its successors did to the machine.
func (m *measurement) end() {
	for i := len(m.cleanup) - 1; i >= 0; i-- {
		m.cleanup[i]()
	}
}

// open writes the rows of the runs, so that a crash from here on leaves a trace, and watches
// the machine. row has what depends on how samples are taken: target and plan.
func (m *measurement) open(all []built, row ledger.Run) ([]*side, error) {
	row.Started, row.Machine = m.started, ledger.MachineKey(m.env.Description)
	if len(all) > 1 {
		var err error
		if m.comparison, err = m.Ledger.BeginComparison(ledger.Comparison{Started: m.started}); err != nil {
			return nil, err
		}
		row.Comparison = m.comparison.ID()
	}
	var sides []*side
	for _, b := range all {
		one := b.binary
		row.Variant, row.Label = one.Variant.Name, one.Variant.Redacted(m.hide).Label()
		row.Package, row.Commit, row.Dirty, row.BuildID = one.Package, one.Commit, one.Dirty, one.BuildID
		draft, err := m.Ledger.BeginRun(row)
		if err != nil {
			return nil, err
		}
		s := &side{built: b, builds: []*build.Binary{b.binary}, draft: draft}
		if len(all) > 1 {
			s.letter = one.Variant.Name
		}
		for _, note := range slices.Concat(m.task.Notes, b.binary.Notes) {
			s.warn("%s", note)
		}
		sides = append(sides, s)
	}
	if m.comparison != nil {
		progress.Tell(m.Progress, m.comparison.ID())
	} else {
		progress.Tell(m.Progress, sides[0].draft.ID())
	}
	m.cpuBefore, m.wall = machine.ReadCPUTimes(), machine.WatchWall(m.Wall)
	m.gauge = machine.OpenGauge()
	m.cleanup = append(m.cleanup, func() { m.gauge.Close() })
	return sides, nil
}

// beginPace begins the time of the measurement: that of a referee, or of a run, which has so many blocks.
func (m *measurement) beginPace(blocks int) *compare.Pace {
	if m.comparison == nil {
		return compare.NewPace(0, blocks, blocks)
	}
	m.referee = compare.NewReferee(m.question)
	return m.referee.Pace
}

// look has the referee look at the blocks of each variant b with A. A run has none: its blocks are enough.
func (m *measurement) look(blocksWith func(b int) []judge.Block, perBlock time.Duration) (over bool, err error) {
	if m.referee == nil {
		return true, nil
	}
	var all [][]judge.Block
	for b := 1; b < len(m.task.Variants); b++ {
		all = append(all, blocksWith(b))
	}
	return m.referee.Look(all, perBlock)
}

// lookBackAtTheMachine notes what happened to it since open.
func (m *measurement) lookBackAtTheMachine(sides []*side) {
	m.env.StealShare = machine.ReadCPUTimes().StealSince(m.cpuBefore)
	if stepped := m.wall.Stepped(); stepped != "" {
		for _, s := range sides {
			s.warn("%s", stepped)
		}
	}
}

// hider makes texts of a document such as may be stored: errors and warnings quote URLs,
// arguments and the environment.
//
// more are entries of environments besides those of the variants, secrets such whose values are secrets in any case.
func (m *measurement) hider(more, secrets []string) func(text string) string {
	var env []string
	for _, v := range m.task.Variants {
		env = slices.Concat(env, v.Env, v.RunEnv)
	}
	return m.hide.Text(append(env, more...), secrets)
}

// interrupted turns the consequence of a cancelled ctx into its cause.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return fail.New(fail.Interrupted, "interrupted").WithHint("what was measured so far is kept: hone history")
	}
	return err
}
