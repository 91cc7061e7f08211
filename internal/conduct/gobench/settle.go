package gobench

import (
	"errors"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// Look decides on the benchmarks that are not settled. The rounds are over when all are settled, or when the time or
// the number of rounds is used up.
func (m *measurement) Look(latest time.Duration) (over bool, err error) {
	err = m.pace.Look(m.result.Rounds, latest, func(last bool) error {
		for _, b := range m.benches {
			if !b.done && b.second == nil {
				b.looks = append(b.looks, judge.Look{Blocks: len(b.blocks),
					Used: m.pace.Looks[len(m.pace.Looks)-1].Used})
			}
		}
		if err := m.decideAll(); err != nil {
			return err
		}
		for _, b := range m.benches {
			if err := m.settle(b, last || m.outOfTime); err != nil {
				return err
			}
		}
		perBlock := latest / time.Duration(max(1, len(m.benches)))
		m.fitSeconds(perBlock)
		if n := m.confirmations(); n > 0 && m.outOfTime {
			m.pace.Extend(m.result.Rounds+1, time.Duration(n)*perBlock)
		}
		if why := m.stopped(last); why != "" {
			m.result.Stopped, over = why, true
		}
		return nil
	})
	m.result.Elapsed = m.pace.Elapsed()
	return over, err
}

// stopped says why the rounds are over after a look; "" if they go on. last says that no other round is possible.
func (m *measurement) stopped(last bool) string {
	settled := m.settledCount() == len(m.benches)
	switch {
	case !settled && m.task.staged():
		return ""
	case m.outOfTime && m.task.staged():
		return compare.StoppedBudget
	case settled && len(m.task.Gates) > 0:
		return compare.StoppedGates
	case settled:
		return compare.StoppedDecided
	case last && m.pace.Most > 0 && m.result.Rounds >= m.pace.Most:
		return benchmarks.StoppedCount
	case last:
		return compare.StoppedBudget
	}
	return ""
}

// deciding is the measure that settles a benchmark: time, unless it reports none.
func (b *bench) deciding() judge.Measure {
	if len(b.units) == 0 || slices.Contains(b.units, "ns/op") {
		return measure.OperationTime
	}
	return measureOf(b.units[0])
}

// optionsFor are the rules for one benchmark at a share of the level.
func (m *measurement) optionsFor(b *bench, alpha float64) judge.Options {
	o := m.task.options()
	o.Alpha, o.Looks, o.Staged = alpha, b.looks, m.task.staged()
	return o
}

// useful says whether the interval of a verdict tells how large a change is: to a quarter of
// it, or to the tolerance. People read the number, not only the word.
func useful(v judge.Verdict) bool {
	return v.Resolution <= max(v.Delta, math.Abs(v.Ratio-1)/4)
}

// settled says whether more rounds could change nothing that counts: the verdict with a
// useful interval, or with gates their outcomes.
func (m *measurement) settled(b *bench) bool {
	if len(m.task.Gates) == 0 {
		c := m.families.of(b.deciding()).contests[b]
		return c != nil && c.Decided && (useful(c.Verdict) || c.Shown() && m.task.staged())
	}
	m.judge(b)
	return !slices.ContainsFunc(b.gates, func(g judged) bool { return g.Outcome == gate.Open && !g.never })
}

// judged is the outcome of a gate for one benchmark. Once it is passed or failed it
// stands: all intervals of all looks hold at once.
type judged struct {
	gate.Result
	never bool // the benchmark does not report the measure, and will not
}

// judge holds the gates against a benchmark. The level is shared evenly among the
// benchmarks: a gate is about the interval, and all intervals shall hold at once. What is
// not observed is open: it is not a pass.
func (m *measurement) judge(b *bench) {
	if b.gates == nil {
		b.gates = make([]judged, len(m.task.Gates))
	}
	for i, g := range m.task.Gates {
		j := &b.gates[i]
		if j.Outcome == gate.Passed || j.Outcome == gate.Failed {
			continue
		}
		*j = judged{Result: gate.Result{Gate: g, Variant: "B", Outcome: gate.Open}}
		v, err := m.onGate(b, g)
		switch {
		case err == nil:
			j.Outcome, j.Reason = g.Judge(v)
			if j.Outcome == gate.Failed && b.second != nil && b.done && v.Method != benchmarks.Exact {
				if v, err = m.again(b, g.Measure, v); err == nil {
					j.Outcome, j.Reason = g.Judge(v)
				}
			}
		case len(b.blocks) == 0:
			j.Reason = "not measured"
		case g.Measure.Key == measure.OperationCPU.Key && errors.Is(err, judge.ErrNotObserved):
			j.Reason, j.never = "turns or processes are too short to tell its CPU time: raise --benchtime", true
		case errors.Is(err, judge.ErrNotObserved):
			j.Reason, j.never = "the benchmark does not report it", true
		default:
			j.Reason, j.never = err.Error(), true
		}
	}
}

// onGate is the verdict of the first stage that a gate is held against.
func (m *measurement) onGate(b *bench, g gate.Gate) (judge.Verdict, error) {
	return decide(g.Measure, b.screened(), m.optionsFor(b, m.task.options().Alpha/float64(len(m.benches))))
}

// conclude fills in the verdicts, whatever ended the rounds.
func (m *measurement) conclude() (err error) {
	if err = m.decideAll(); err != nil { // rounds since the last look count too
		return err
	}
	for _, b := range m.benches {
		if b.second != nil && !b.done { // it was interrupted
			b.done = true
			if err := m.confirm(b); err != nil {
				return err
			}
		}
		out := benchmarks.Benchmark{Package: b.pkg.path, Name: b.name, How: b.how, Why: b.why, Operations: b.n,
			Rounds: len(b.blocks), Layouts: b.layoutsUsed(), Profiles: b.profiles}
		m.judge(b)
		for _, g := range b.gates {
			out.Gates = append(out.Gates, g.Result)
		}
		main := m.families.of(b.deciding())
		for i, f := range append(families{main}, m.families...) {
			if c := f.contests[b]; c != nil && c.Known && (f != main || i == 0) {
				out.Verdicts = append(out.Verdicts, c.Verdict)
			}
		}
		if out.Differs, err = b.differenceFromTurns(main.contests[b]); err != nil {
			return err
		}
		out.Explained = b.explained(out.Verdicts)
		putCaveats(&out, b)
		m.result.Benchmarks = append(m.result.Benchmarks, out)
	}
	for _, f := range m.families {
		v, ok, err := m.geomean(f)
		if err != nil {
			return err
		}
		if ok {
			m.result.Geomean = append(m.result.Geomean, v)
		}
	}
	return nil
}
