package compare

import (
	"math"
	"slices"
	"time"
)

// Confirming says that the second stage has begun, or is to begin with the next block.
func (r *Referee) Confirming() bool { return r.split > 0 }

// staged says whether what is found is confirmed: not where the number of blocks is fixed, or where the whole budget is used to
// learn what the machine does.
func (q Question) staged() bool { return q.Most == 0 && !q.WholeBudget }

// confirm begins the second stage if the first one, which is over, has alarms: it returns false if there are none. The stage
// takes as many blocks as the alarms that the comparison is about need, as far as the budget has room for them, and the fewest
// that can confirm anything in any case.
func (r *Referee) confirm(blocks [][]Block, perBlock time.Duration) (bool, error) {
	if !r.question.staged() {
		return false, nil
	}
	wanted := 0
	for i := range blocks {
		n, err := r.alarms(i, blocks[i])
		if err != nil {
			return false, err
		}
		wanted = max(wanted, n)
	}
	if wanted == 0 {
		return false, nil
	}
	o := r.gateOptions()
	least := FewestBlocks(confirmLevel * o.Alpha)
	room := least
	if perBlock > 0 {
		room = int((r.Budget - r.Elapsed()) / perBlock)
	}
	n := max(least, min(wanted, room))
	r.firstLooks, r.firstStopped, r.split, r.Stopped = slices.Clone(r.Looks), r.Stopped, len(blocks[0]), ""
	r.Extend(len(blocks[0])+n, time.Duration(n)*perBlock)
	return true, nil
}

// alarms is how many blocks the confirmation of what the first stage says of variant i takes; 0 where there is no alarm.
func (r *Referee) alarms(i int, blocks []Block) (wanted int, err error) {
	ruling, err := r.Rule(i, blocks)
	if err != nil {
		return 0, err
	}
	o := r.gateOptions()
	least := FewestBlocks(confirmLevel * o.Alpha)
	for _, v := range ruling.Verdicts {
		if !v.Different() {
			continue
		}
		wanted = max(wanted, least)
		if v.Measure == r.question.Gated && len(r.question.Gates) == 0 {
			wanted = max(wanted, confirmingBlocks(v, math.Log(v.Ratio)))
		}
	}
	for _, g := range ruling.Gates {
		if g.Outcome != Failed {
			continue
		}
		wanted = max(wanted, least)
		for _, v := range ruling.Verdicts {
			if v.Measure == g.Gate.Measure {
				wanted = max(wanted, confirmingBlocks(v, g.Gate.distance(v)))
			}
		}
	}
	return wanted, nil
}

// distance is how far a change lies from the limit, as a log ratio.
func (g Gate) distance(v Verdict) float64 {
	limit := 1 + g.Limit
	if !g.Relative {
		limit = 1 + g.Limit/max(v.A, g.Measure.Floor, math.SmallestNonzeroFloat64)
	}
	if limit <= 0 {
		return math.Inf(1)
	}
	return math.Log(v.Ratio) - math.Log(limit)
}
