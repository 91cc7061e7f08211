package gobench

import (
	"slices"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// newReferee returns the referee of the benchmarks, whose time begins.
func (m *measurement) newReferee() *compare.Referee {
	var all []*compare.Contender
	for _, b := range m.benches {
		all = append(all, &b.Contender)
	}
	return compare.NewRefereeOf(compare.Question{
		Gated: measure.OperationTime, Gates: m.task.Gates, Options: m.task.options(),
		Budget: m.result.Budget, After: m.afterRounds(), Again: m.keptForSeconds(),
		Most: m.task.Count, OneStage: m.task.OneStage,
		Decide: compare.DecideOperations, Missing: missing, Earlier: m.earlier,
	}, all...)
}

// earlier is how a benchmark scattered in earlier comparisons on a machine with such CPUs, sampled in the same way.
func (m *measurement) earlier(s *compare.Contender) (known compare.Earlier) {
	at := slices.IndexFunc(m.benches, func(b *bench) bool { return &b.Contender == s })
	if m.task.Earlier == nil || at < 0 {
		return known
	}
	if m.stored == nil {
		m.stored = m.task.Earlier()
	}
	b := m.benches[at]
	for _, r := range m.stored {
		for _, old := range r.Benchmarks {
			alike := r.CPU == m.result.CPU && old.Package == b.pkg.path && old.Name == b.name && old.How == b.how
			if alike && len(old.Verdicts) > 0 {
				known.Add(old.Verdicts[0])
			}
		}
	}
	return known
}

// missing says why a benchmark does not show a measure.
func missing(s *compare.Contender, m judge.Measure) string {
	switch {
	case len(s.Blocks) == 0:
		return "not measured"
	case m.Key == measure.OperationCPU.Key:
		return "turns or processes are too short to tell its CPU time: raise --benchtime"
	}
	return "the benchmark does not report it"
}

// Look has the referee decide on the benchmarks that are not settled. The rounds are over when all are settled, or when
// the time or the number of rounds is used up.
func (m *measurement) Look(latest time.Duration) (over bool, err error) {
	defer func() { m.result.Elapsed = m.referee.Elapsed() }()
	if over, err = m.referee.LookAfter(m.result.Rounds, latest); err != nil || !over {
		return over, err
	}
	if m.result.Stopped = m.referee.Stopped; m.result.Stopped == compare.StoppedBudget && m.referee.Most > 0 &&
		m.result.Rounds >= m.referee.Most {
		m.result.Stopped = benchmarks.StoppedCount
	}
	return true, nil
}

// conclude fills in the verdicts, whatever ended the rounds.
func (m *measurement) conclude() error {
	if m.referee == nil { // nothing was measured
		m.referee = m.newReferee()
	}
	if err := m.referee.End(); err != nil {
		return err
	}
	for _, b := range m.benches {
		ruling, err := m.referee.RuleOn(&b.Contender)
		if err != nil {
			return err
		}
		out := benchmarks.Benchmark{Package: b.pkg.path, Name: b.name, How: b.how, Why: b.why, Operations: b.n,
			Rounds: len(b.Blocks), Disturbed: b.disturbed(), Layouts: b.layoutsUsed(), Profiles: b.profiles, Gates: ruling.Gates,
			Verdicts: ruling.Verdicts}
		if out.Differs, err = b.differenceFromTurns(m.referee.ContestOf(&b.Contender)); err != nil {
			return err
		}
		if len(ruling.Verdicts) > 0 {
			if c, err := judge.ChangesOf(ruling.Verdicts[0].Measure, b.Blocks); err == nil {
				out.Changes = &c
			}
		}
		out.Explained, out.ExplainedAllocs = b.explained(out.Verdicts), b.explainedAllocs(out.Verdicts)
		putCaveats(&out, b)
		m.result.Benchmarks = append(m.result.Benchmarks, out)
	}
	for _, of := range m.referee.Families() {
		v, ok, err := m.referee.Mean(of, m.sharedErrors)
		if err != nil {
			return err
		}
		if ok {
			m.result.Geomean = append(m.result.Geomean, compare.Excluding(v, m.task.options().Excluded))
		}
	}
	return nil
}

// sharedErrors says what a benchmark shares errors with in the geometric mean: those of its package, where that has
// layouts. Benchmarks that failed, changed themselves or have an open caveat do not count.
func (m *measurement) sharedErrors(s *compare.Contender) (group any, counts bool) {
	for _, b := range m.benches {
		if &b.Contender != s {
			continue
		}
		if b.layoutsUsed() > 0 {
			group = b.pkg
		} else {
			group = b
		}
		return group, !b.Lost() && len(b.changed()) == 0 && b.open() == nil
	}
	return nil, false
}

// staged says whether alarms are confirmed.
func (r Task) staged() bool { return compare.Question{Most: r.Count, OneStage: r.OneStage}.Staged() }
