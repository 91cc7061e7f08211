package once

import (
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/prof"
)

// compare writes down what became of each variant against the first.
func (m *measurement) compare(out *Outcome, status ledger.Status, reason string) *Comparison {
	r := m.request
	c := &Comparison{
		Schema: ComparisonSchema, ID: m.comparison.ID(), Status: status, Reason: reason, Started: m.started,
		Elapsed: time.Since(m.started), Seed: r.Seed, Budget: r.Budget, Word: compare.Invalid,
	}
	for _, run := range out.Runs {
		c.Runs = append(c.Runs, run.ID)
	}
	for i := 1; i < len(m.trials); i++ {
		c.Contests = append(c.Contests, Contest{A: 0, B: i, Word: compare.Invalid})
	}
	if f := m.referee; f != nil {
		c.Blocks, c.BlockTime, c.Looks, c.Stopped = len(m.blocks(0, 1)), m.perRound, f.Looks, f.Stopped
	}
	if status != ledger.Complete {
		return c
	}
	gates := make([][]compare.GateResult, len(r.Gates))
	for i := range c.Contests {
		for j, g := range m.contest(&c.Contests[i]) {
			gates[j] = append(gates[j], g)
		}
	}
	c.Word, c.Gates = c.Contests[0].Word, slices.Concat(gates...)
	return c
}

// contest writes down what is said of a variant in the end, and explains the gated measure.
func (m *measurement) contest(c *Contest) []compare.GateResult {
	ruling, err := m.referee.Rule(c.B-1, m.blocks(c.A, c.B))
	if err != nil {
		m.Progress.Warn(err.Error())
	}
	c.Word, c.Verdicts = ruling.Word, ruling.Verdicts
	if cpu := m.referee.Contest(c.B - 1); cpu.Known {
		c.Why = m.why(m.trials[c.A], m.trials[c.B], cpu.Verdict)
	}
	return ruling.Gates
}

// why explains a verdict, or is nil where a profile is missing or the verdict has no
// interval.
func (m *measurement) why(a, b *trial, v compare.Verdict) *prof.Explanation {
	ca, okA := a.captures["cpu"]
	cb, okB := b.captures["cpu"]
	whole, ok := v.Whole()
	if !okA || !okB || !ok {
		return nil
	}
	e, err := prof.Why([]prof.Capture{ca}, []prof.Capture{cb}, whole, v.Ratio < 1, prof.WhyOptions{
		Code: prof.Code{Module: a.binary.Module, MainPackage: a.binary.Package},
	})
	if err != nil {
		m.Progress.Warn(fmt.Sprintf("no explanation from the profiles: %v", err))
	}
	return e
}
