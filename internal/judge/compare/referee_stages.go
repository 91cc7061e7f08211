package compare

import (
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// Confirming says that the second stage has begun, or is to begin with the next block.
func (r *Referee) Confirming() bool { return r.split > 0 }

// Split is how many blocks the first stage has, once the second has begun.
func (r *Referee) Split() int { return r.split }

// staged says whether what is found is confirmed: not where the number of blocks is fixed, where the whole budget is used to
// learn what the machine does, or where one stage is enough.
func (q Question) staged() bool { return q.Most == 0 && !q.WholeBudget && !q.OneStage }

// confirm begins the second stage if the first one, which is over, has alarms. The stage takes as many blocks as the alarms need that
// the comparison is about, and the fewest that can confirm anything in any case. Alarms on other measures only are confirmed where
// the budget has room for that, and else not called differences.
func (r *Referee) confirm(blocks [][]judge.Block, perBlock time.Duration) error {
	if !r.question.staged() {
		return nil
	}
	wanted, others := 0, false
	for i := range blocks {
		n, any, err := r.alarms(i, blocks[i])
		if err != nil {
			return err
		}
		wanted, others = max(wanted, n), others || any
	}
	if wanted == 0 && !others {
		return nil
	}
	least := judge.FewestToConfirm(r.gateOptions().Alpha)
	room := least
	if perBlock > 0 {
		room = int((r.Budget - r.Elapsed()) / perBlock)
	}
	r.split = len(blocks[0])
	if wanted == 0 && room < least {
		return nil
	}
	n := max(least, min(wanted, room))
	r.firstStopped, r.Stopped = r.Stopped, ""
	r.Extend(len(blocks[0])+n, time.Duration(n)*perBlock)
	return nil
}

// alarms is how many blocks the confirmation takes of what the first stage says of variant i: of the measure that the comparison is
// about, of what the variants keep of each request, and of its gates but for those on functions. others says whether there are alarms at all.
func (r *Referee) alarms(i int, blocks []judge.Block) (wanted int, others bool, err error) {
	ruling, err := r.Rule(i, blocks)
	if err != nil {
		return 0, false, err
	}
	for _, v := range ruling.Verdicts {
		if slices.ContainsFunc(r.question.Gates, func(g gate.Gate) bool { return g.Function != "" && g.Measure == v.Measure }) {
			continue // profiles have one stage
		}
		others = others || v.Word.Different()
		// A leak costs no time at first: the comparison would go on to its end, and have no room to confirm it.
		asked := v.Measure == r.question.Gated || slices.Contains(r.question.Beside, v.Measure) || measure.OfGrowth(v.Measure)
		if v.Word.Different() && asked && len(r.question.Gates) == 0 {
			wanted = max(wanted, judge.ConfirmingBlocks(v, math.Log(v.Ratio)))
		}
		for _, g := range ruling.Gates {
			if v.Measure == g.Gate.Measure {
				wanted = max(wanted, g.Gate.ConfirmingBlocks(v))
			}
		}
	}
	return wanted, others, nil
}
