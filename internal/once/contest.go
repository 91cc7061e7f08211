package once

import (
	"errors"
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
		c.Blocks, c.BlockTime, c.Looks, c.Stopped = f.rounds, f.perRound(), f.looks, f.stopped
	}
	if status != ledger.Complete {
		return c
	}
	gates := make([][]compare.GateResult, len(r.Gates))
	for i := range c.Contests {
		for j, g := range m.contest(&c.Contests[i], *m.referee.contests[i]) {
			gates[j] = append(gates[j], g)
		}
	}
	c.Word, c.Gates = c.Contests[0].Word, slices.Concat(gates...)
	return c
}

// contest decides on every measure, holds the gates against what it finds, and explains the
// gated measure.
func (m *measurement) contest(c *Contest, cpu compare.Contest) []compare.GateResult {
	blocks := m.blocks(c.A, c.B)
	c.Word = compare.Undecided
	for _, measure := range Measures {
		v, err := compare.Decide(measure, blocks, m.referee.gateOptions())
		if err != nil {
			if !errors.Is(err, compare.ErrNotObserved) {
				m.Progress.Warn(err.Error())
			}
			continue
		}
		c.Verdicts = append(c.Verdicts, v)
	}
	gates := m.judgeGates(*c)
	// Gates are judged by all rounds; the verdict stands as it was reached.
	i := slices.IndexFunc(c.Verdicts, func(v compare.Verdict) bool { return v.Measure == CPU })
	if cpu.Known && i >= 0 {
		c.Verdicts[i], c.Word = cpu.Verdict, cpu.Verdict.Word
		c.Changes = m.changes(m.trials[c.A], m.trials[c.B], cpu.Verdict.Ratio)
	}
	return gates
}

// judgeGates holds every gate against a variant.
func (m *measurement) judgeGates(c Contest) []compare.GateResult {
	var all []compare.GateResult
	for _, g := range m.request.Gates {
		r := compare.GateResult{
			Gate: g, Variant: m.trials[c.B].binary.Variant.Name, Outcome: compare.Open,
			Reason: fmt.Sprintf("compare %s: %v", g.Measure.Name, compare.ErrNotObserved),
		}
		i := slices.IndexFunc(c.Verdicts, func(v compare.Verdict) bool { return v.Measure == g.Measure })
		if i >= 0 {
			r.Outcome, r.Reason = g.Judge(c.Verdicts[i])
		}
		all = append(all, r)
	}
	return all
}

// changes explains a verdict whose B/A is ratio, or nothing where a profile is missing.
func (m *measurement) changes(a, b *trial, ratio float64) []prof.Change {
	ca, okA := a.captures["cpu"]
	cb, okB := b.captures["cpu"]
	if !okA || !okB {
		return nil
	}
	changes, err := prof.Why(ca, cb, ratio < 1, prof.ChangeOptions{Module: a.binary.Module})
	if err != nil {
		m.Progress.Warn(fmt.Sprintf("no explanation from the profiles: %v", err))
	}
	return changes
}
