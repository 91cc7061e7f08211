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

// staged says whether what is found is confirmed: not where the number of blocks is fixed, where the whole budget is
// used to learn what the machine does, or where one stage is enough.
func (q Question) staged() bool { return q.Most == 0 && !q.WholeBudget && !q.OneStage }

// alarm is what the second stage has to measure again.
type alarm struct {
	// wanted is how many blocks serve the measures best that the comparison is about, least how many can confirm them;
	// 0 without an alarm on those.
	wanted, least int
	others        bool // there are alarms, perhaps on other measures only
	orders        bool // one of them may be what a link order costs
}

// and is both together.
func (a alarm) and(o alarm) alarm {
	return alarm{max(a.wanted, o.wanted), max(a.least, o.least), a.others || o.others, a.orders || o.orders}
}

// on adds a verdict that lies so far, as a log ratio, from the nearest value that is not an alarm.
func (a alarm) on(v judge.Verdict, distance float64) alarm {
	orders := v.Measure.Level != judge.PerStart && math.Abs(distance) < ordersCost
	return a.and(alarm{judge.ConfirmingBlocks(v, distance), judge.LeastToConfirm(v, distance), true, orders})
}

// confirm begins the second stage if the first one, which is over, has alarms. The stage takes as many blocks as the
// alarms need that the comparison is about, as far as the budget has room; what can confirm them may end soon after it.
// Alarms on other measures only are confirmed where the budget has room for that, and else not called differences.
func (r *Referee) confirm(blocks [][]judge.Block, perBlock time.Duration) error {
	if !r.question.staged() {
		return nil
	}
	all := alarm{}
	for i := range blocks {
		one, err := r.alarms(i, blocks[i])
		if err != nil {
			return err
		}
		all = all.and(one)
	}
	if !all.others {
		return nil
	}
	fewest := judge.FewestToConfirm(r.gateOptions().Alpha)
	room, most := max(fewest, all.least), max(fewest, all.least)
	if r.ordersMatter = all.orders; perBlock > 0 {
		left := r.Budget - r.Elapsed()
		if r.ordersMatter {
			left -= r.question.Linking
		}
		room, most = int(left/perBlock), int((left+r.Budget/over)/perBlock)
	}
	if all.wanted == 0 { // they cost no time beyond the budget
		all.least, most = fewest, room
	}
	r.split = len(blocks[0])
	if most < judge.LeastAgain {
		return nil
	}
	n := max(min(all.least, most), min(all.wanted, room))
	r.firstStopped, r.Stopped = r.Stopped, ""
	r.Extend(len(blocks[0])+n, time.Duration(n)*perBlock)
	return nil
}

// ordersCost is the difference, as a log ratio, above which no order of functions is the reason: twice what one was
// measured to cost (Mytkowicz, Diwan, Hauswirth & Sweeney 2009, "Producing wrong data without doing anything obviously
// wrong!", ASPLOS: 0.92 to 1.10).
const ordersCost = 0.2

// OrdersMatter says that the second stage needs other link orders: what it measures again may be what one costs.
func (r *Referee) OrdersMatter() bool { return r.ordersMatter }

// over is the part of the budget, 1 in over, by which a second stage may be too long: what could be confirmed is not
// given up for a moment.
const over = 8

// alarms is what there is to confirm of what the first stage says of variant i: of the measure that the comparison is
// about, of what the variants keep of each request, and of its gates but for those on functions.
func (r *Referee) alarms(i int, blocks []judge.Block) (all alarm, err error) {
	ruling, err := r.Rule(i, blocks)
	if err != nil {
		return alarm{}, err
	}
	for _, v := range ruling.Verdicts {
		if slices.ContainsFunc(r.question.Gates, func(g gate.Gate) bool {
			return g.Function != "" && g.Measure == v.Measure
		}) {
			continue // profiles have one stage
		}
		all.others = all.others || v.Word.Different()
		// A leak costs no time at first, and is as much of a reason to measure again.
		asked := v.Measure == r.question.Gated || slices.Contains(r.question.Beside, v.Measure) ||
			measure.OfGrowth(v.Measure)
		if v.Word.Different() && asked && len(r.question.Gates) == 0 {
			all = all.on(v, math.Log(v.Ratio))
		}
		for _, g := range ruling.Gates {
			if v.Measure == g.Gate.Measure && g.Outcome == gate.Failed {
				all = all.on(v, g.Gate.Distance(v))
			}
		}
	}
	return all, nil
}
