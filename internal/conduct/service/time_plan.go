package service

import (
	"time"

	"github.com/gohone/hone/internal/conduct/capture"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/judge"
)

// A comparison ends within its budget: what happens from the first start on is of it, and only builds are not. So a
// part of the budget is kept for what comes besides the blocks. What the user asks for beyond the usual is kept in
// full.
type timePlan struct {
	passes time.Duration // CPU profiles between the blocks
	after  time.Duration // other profiles and traces after the last block
	check  time.Duration // of a gain, see GainCheck
	rest   time.Duration // verdicts, and what is stored
	asked  time.Duration // traces that the user reads
}

const (
	// profileShare is the most of the budget, 1 in profileShare, that the CPU profiles of a variant take.
	profileShare = 20
	// WeighedShare is that of a comparison that production's profile weighs: the interval is that of their samples.
	WeighedShare = 4
	// keptShare is the most of the budget, 1 in keptShare, that is kept besides the blocks: with less nothing is
	// decided.
	keptShare = 3
	// tightBlocks are the first four blocks, seven that confirm, and one to spare.
	tightBlocks = judge.FirstLook + 7 + spareBlocks
	// restShare and leastRest are for verdicts and storing: a second, and a fiftieth of what was measured.
	restShare, leastRest = 50, time.Second
	// warmUpShare is the most of the budget, 1 in warmUpShare, that the usual warm-up of a start takes: in a short
	// comparison warm-ups of 150 ms were half of the time.
	warmUpShare = 200
	// readingTrace is about how long it takes to read a trace of leastTraced.
	readingTrace = 300 * time.Millisecond
)

// withinBudget is the task of a comparison with warm-ups and profiles that its budget has room for.
func withinBudget(r lab.Task) lab.Task {
	share := time.Duration(profileShare)
	if r.Production != nil {
		share = WeighedShare
	}
	if len(r.Variants) > 1 && r.WarmUp == spec.ComparedWarmUp && !r.WarmUpGiven {
		r.WarmUp = min(r.WarmUp, r.Budget/warmUpShare)
	}
	if len(r.Variants) > 1 && r.ProfileTime > 0 {
		r.ProfileTime = min(r.ProfileTime, max(leastPass, r.Budget/share))
	}
	return r
}

// timesOf is what a comparison keeps of its budget.
func timesOf(r lab.Task) timePlan {
	n := time.Duration(len(r.Variants))
	p := timePlan{rest: leastRest + r.Budget/restShare}
	if r.ProfileTime > 0 {
		p.passes = n * r.ProfileTime
		p.after = n * (r.ProfileTime/4 + (capture.ExactWindows+1)*capture.ExactSlice)
		p.asked = n * (r.TraceTime + r.FlightTime)
	}
	if r.ProfileTime > 0 && !r.NoTrace {
		p.after += n * (capture.LeastTraced + readingTrace)
	}
	if r.OwnEngine() && !r.Calibrate {
		p.check = min(longestCheck, time.Duration(gainShare*float64(r.Budget)))
	}
	return p
}

// forBlocks is what is left of a budget for the blocks of both stages.
func (p timePlan) forBlocks(budget time.Duration) time.Duration {
	kept := min(p.passes+p.after+p.check+p.rest, budget/keptShare) + p.asked
	return budget - min(kept, budget/2)
}

// tight says that the profiles have to wait until the last block is over. A gate on a function needs them between the
// blocks.
func (m *services) tight(perBlock time.Duration) bool {
	return m.Referee != nil && !m.Referee.FunctionsOpen() && m.sizes.tight(perBlock)
}

// late says that the budget is used up, but for so much of it, so that what is left is left out. A run has no budget.
func (m *services) late(kept time.Duration) bool {
	return !m.ends.IsZero() && time.Until(m.ends) < kept
}
