package lab

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/conclusion"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

// Compare writes down what became of each variant against the first: the document without
// what depends on how samples were taken. runs are the names of the runs, of A first. A
// measurement that was not completed gets no verdict.
func (m *Measurement) Compare(runs []string, status ledger.Status, reason string) *record.Comparison {
	c := &record.Comparison{
		Schema: record.ComparisonSchema, ID: m.Comparison.ID(), Status: status, Reason: reason, Started: m.Started,
		Elapsed: time.Since(m.Started), Seed: m.Task.Seed, Budget: m.Task.Budget, Word: judge.Invalid, Runs: runs,
	}
	for i := 1; i < len(runs); i++ {
		c.Contests = append(c.Contests, record.Contest{A: 0, B: i, Word: judge.Invalid})
	}
	if m.Referee != nil {
		c.Looks, c.Stopped, c.FirstStage = m.Referee.Looks, m.Referee.Stopped, m.Referee.Split()
	}
	c.Reach, c.Checked = m.Reach, m.Task.Checked
	m.countTries(c)
	switch {
	case m.SameSource:
		c.Stopped = record.StoppedSameSource
	case m.Unreached:
		c.Stopped = record.StoppedUnreached
	}
	return c
}

// Rule has the referee decide on all measures of each contest, and holds the gates against
// them. of are the figures of a side. finish completes a contest whose verdicts there are, and its gates.
func (m *Measurement) Rule(c *record.Comparison, blocks func(b int) []judge.Block, of func(side int) judge.Sample,
	finish func(*record.Contest, []gate.Result)) {
	gates := make([][]gate.Result, len(m.Question.Gates))
	for i := range c.Contests {
		contest := &c.Contests[i]
		ruling, err := m.Referee.Rule(contest.B-1, blocks(contest.B))
		if err != nil {
			m.Progress.Warn(err.Error())
		}
		contest.Word, contest.Verdicts = ruling.Word, ruling.Verdicts
		contest.TakeFigures(of(contest.A), of(contest.B))
		finish(contest, ruling.Gates)
		if m.SameSource || m.Unreached {
			conclusion.TakeAsSame(contest, ruling.Gates, m.Unreached)
		}
		for j, g := range ruling.Gates {
			gates[j] = append(gates[j], g)
		}
	}
	c.Word, c.Gates = c.Contests[0].Word, slices.Concat(gates...)
}

// ExplainCPU explains the verdict on CPU time of a contest by profiles, or is nil where one is
// missing or the verdict has no interval. shareA and shareB are the parts of the CPU time that
// the profiles saw, 0 to 1.
func (m *Measurement) ExplainCPU(c *record.Contest, a, b []prof.Capture, shareA, shareB float64,
	code prof.Code) *diff.Explanation {
	i := slices.IndexFunc(c.Verdicts, func(v judge.Verdict) bool { return v.Measure.Key == measure.CPU.Key })
	if i < 0 {
		return nil
	}
	whole, ok := compare.Whole(c.Verdicts[i])
	if !ok || len(a) == 0 || len(b) == 0 {
		return nil
	}
	whole.A, whole.B = whole.A*shareA, whole.B*shareB
	o := diff.WhyOptions{Code: code, AllocatesToo: conclusion.ChangedAlike(c.Verdicts, measure.Bytes.Key,
		c.Verdicts[i])}
	return m.Explain(a, b, whole, c.Verdicts[i].Ratio < 1, o)
}

// Explain explains a difference by profiles; nil where they cannot, with a warning.
func (m *Measurement) Explain(a, b []prof.Capture, whole diff.Whole, lower bool, o diff.WhyOptions) *diff.Explanation {
	e, err := diff.Why(a, b, whole, lower, o)
	if err != nil {
		m.Progress.Warn(fmt.Sprintf("no explanation from the profiles: %v", err))
		return nil
	}
	return e
}

// RunNames are the names of the runs of variants.
func RunNames(sides []*Side) []string {
	var names []string
	for _, s := range sides {
		names = append(names, s.Draft.ID())
	}
	return names
}

// StoreComparison closes the row of the comparison, if there is one.
func (m *Measurement) StoreComparison(c *record.Comparison) error {
	if c == nil {
		return nil
	}
	doc, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("encode comparison: %w", err)
	}
	return m.Comparison.Finish(ledger.Comparison{Status: c.Status, Reason: c.Reason, Word: string(c.Word), Doc: doc})
}
