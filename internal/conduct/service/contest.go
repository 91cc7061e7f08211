package service

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/conduct/conclusion"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/memory"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof/diff"
)

// compare writes down what became of each variant against the first.
func (m *services) compare(runs []string, status ledger.Status, reason string) *record.Comparison {
	c := m.Measurement.Compare(runs, status, reason)
	c.Arrangement, c.Why = m.arrangement, m.why
	c.Blocks, c.BlockTime = m.sizes.blocks, m.sizes.perBlock()
	c.LinkOrders, c.Spread = len(m.sides[0].Builds)-1, m.spread()
	c.Planted = m.sides[len(m.sides)-1].Planted
	m.noteAnswers(c)
	if status != ledger.Complete {
		return c
	}
	m.Rule(c, m.blocksWith, func(side int) judge.Sample { return m.sides[side].timed.Figures() }, m.finishContest)
	if m.Task.Calibrate {
		c.Calibration = m.calibration()
	} else if slices.ContainsFunc(c.Gates, func(g gate.Result) bool { return g.Outcome == gate.Open }) {
		c.Calibrated = m.lastCalibration()
	}
	checks := make([]*compare.SelfCheckResult, len(m.sides))
	for side := range m.sides {
		// A with B, and every other variant as the second of its contest.
		blocks, which := m.blocksWith(max(1, side)), min(1, side)
		if check, err := compare.SelfCheck(measure.CPU, blocks, which); err == nil {
			checks[side], c.SelfChecks = &check, append(c.SelfChecks, check)
		}
	}
	conclusion.DoubtGates(c, checks)
	return c
}

// finishContest explains the verdicts, and refuses gates on what is not known of the whole
// program.
func (m *services) finishContest(c *record.Contest, gates []gate.Result) {
	if m.Task.RateHz > 0 {
		conclusion.TellLateness(c, gates, &m.sides[c.A].timed, &m.sides[c.B].timed)
		conclusion.Lead(c)
	} else {
		conclusion.FindOneFact(c)
	}
	a, b := m.sides[c.A], m.sides[c.B]
	conclusion.AllowForChance(c, b.timed.Effects)
	if a.Binary.RunsLike(*b.Binary) {
		conclusion.EqualBuilds(c, gates)
		return
	}
	c.Why = m.ExplainCPU(c, a.profiles.Pieces["cpu"], b.profiles.Pieces["cpu"],
		a.profiles.Covered.ReadShare(), b.profiles.Covered.ReadShare(), a.Code())
	c.Weighed = m.Weigh(c, m.Task.Production, a.profiles.Pieces["cpu"], b.profiles.Pieces["cpu"],
		a.profiles.Covered.ReadShare(), b.profiles.Covered.ReadShare(), a.Code())
	c.WhyAllocs = m.explainAllocs(a, b, c.Verdicts)
	c.WhyMemory = memory.Compare(a.timed.Memory, b.timed.Memory)
	c.WhyTime = conclusion.ExplainTime(a.profiles.Waits.Digest, b.profiles.Waits.Digest)
	c.Gain = m.gains[b]
	c.Caveats = conclusion.AllowSettings(conclusion.Caveats(&a.timed, &b.timed, c), a.Binary.Variant, b.Binary.Variant)
	for i := range c.Caveats {
		c.Caveats[i].Open = c.Caveats[i].Open && !m.Task.Answers.Allow
	}
	less := c.OtherWork()
	for i := range gates {
		if gates[i].Outcome == gate.Passed && less != "" {
			gates[i].Outcome, gates[i].Reason = gate.Open,
				fmt.Sprintf("%s, but not for the same work: %s", gates[i].Reason, less)
		}
		if reason := unknown(gates[i].Gate.Measure, a, b); reason != "" {
			gates[i].Outcome, gates[i].Reason = gate.Open, reason
		}
	}
}

// unknown says why a gate cannot be judged: what it is on was read of a part of the program
// only. It is empty where it can.
func unknown(measure judge.Measure, both ...*service) string {
	if !probed(measure) {
		return ""
	}
	for _, v := range both {
		if v.timed.Covered.Incomplete() {
			return fmt.Sprintf("refused, since %s of %s is not known: %s", measure.Name, v.Binary.Variant.Name,
				v.timed.Covered.Why())
		}
	}
	return ""
}

// blocksWith are the blocks of A and a second variant: the slices that were taken in the same
// round of the same start side by side, and what the starts showed as a whole. A block
// that was broken off is left out.
func (m *services) blocksWith(second int) []judge.Block {
	a, b := m.sides[0], m.sides[second]
	n := min(len(a.timed.Starts), len(b.timed.Starts))
	blocks := make([]judge.Block, n)
	for i := range blocks {
		blocks[i].A, blocks[i].B = a.timed.Starts[i], b.timed.Starts[i]
	}
	for start, pairs := range compare.PairUp(a.timed.Slices(), b.timed.Slices()) {
		if start < n {
			blocks[start].Pairs = pairs
		}
	}
	return blocks
}

// explainAllocs finds the places that allocate more or less, if the verdict on allocations
// says that they differ, from exact counts.
func (m *services) explainAllocs(a, b *service, verdicts []judge.Verdict) *diff.Explanation {
	i := slices.IndexFunc(verdicts, func(v judge.Verdict) bool { return v.Measure.Key == measure.Allocs.Key })
	if i < 0 || verdicts[i].Low <= 1 && verdicts[i].High >= 1 {
		return nil
	}
	of, with := a.profiles.Allocs, b.profiles.Allocs
	whole := diff.Whole{A: conclusion.Objects(of), B: conclusion.Objects(with)}
	e, err := conclusion.WhyAllocs(of, with, whole, verdicts[i], a.Code())
	if err != nil {
		m.Progress.Warn(fmt.Sprintf("no explanation from the profiles: %v", err))
	}
	return e
}
