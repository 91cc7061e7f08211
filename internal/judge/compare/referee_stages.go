package compare

import (
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// Confirming says that the second stage of the variants has begun, or is to begin with the next block.
func (r *Referee) Confirming() bool { return r.Split() > 0 }

// Split is how many blocks the first stage of the variants has, once the second has begun.
func (r *Referee) Split() int {
	if len(r.contenders) == 0 {
		return 0
	}
	return r.contenders[0].split
}

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

// secondStage says whether the first stage of contenders, which is over, has alarms, and how many blocks the second one
// takes: as many as the alarms need that the comparison is about. It is longer where the budget has room for
// that, and may take a little more than the budget. blocks is 0 where the budget does not even have room for that: then
// nothing is confirmed. Alarms on other measures only are confirmed where the budget has room for that, and else not
// called differences.
func (r *Referee) secondStage(all []*Contender, perBlock time.Duration) (blocks int, alarmed bool, err error) {
	if !r.question.Staged() {
		return 0, false, nil
	}
	sum := alarm{}
	for _, s := range all {
		one, err := r.alarms(s)
		if err != nil {
			return 0, false, err
		}
		sum = sum.and(one)
	}
	if r.apart || !sum.others {
		return sum.wanted, sum.others, nil
	}
	fewest := r.FewestAgain()
	room, most := max(fewest, sum.least), max(fewest, sum.least)
	if r.ordersMatter = sum.orders; perBlock > 0 {
		left := r.Budget - r.Elapsed()
		if r.ordersMatter {
			left -= r.question.Linking
		}
		room, most = int(left/perBlock), int((left+r.Budget/over)/perBlock)
		if sum.least > 0 && sum.least <= judge.LeastAgain { // a change of 90 %
			most = max(most, int((left+r.Budget/overForLarge)/perBlock))
		}
	}
	if sum.wanted == 0 { // they cost no time beyond the budget
		sum.least, most = fewest, room
	}
	if most < judge.LeastAgain {
		return 0, true, nil
	}
	blocks = max(min(sum.least, most), min(sum.wanted, room))
	r.Extend(len(all[0].Blocks)+blocks, time.Duration(blocks)*perBlock)
	return blocks, true, nil
}

// shareTime shortens the second stages of benchmarks that have not begun after a round, so that the budget has room for
// all of them, given what a block of one takes. Each has as many blocks as can confirm anything. Once no alarm has time
// for another one, the time that was kept for them begins.
func (r *Referee) shareTime(round int, perBlock time.Duration) {
	q, wanted, room := r.question, r.toCome(), math.MaxInt
	if q.Budget > 0 && perBlock > 0 {
		room = max(0, int((q.Budget+q.Budget/over-q.After-r.Elapsed())/perBlock))
	}
	fewest := r.FewestAgain()
	for _, s := range r.contenders {
		if n := s.Again(); room < wanted && n > 0 && s.toCome() == n {
			s.until = s.split + max(min(n, fewest), n*room/wanted)
		}
	}
	if n := r.toCome(); n > 0 && (r.outOfTime || r.closed) {
		r.Extend(round+1, time.Duration(n)*perBlock)
	}
}

// FewestAgain is how many blocks can confirm anything.
func (r *Referee) FewestAgain() int { return judge.FewestToConfirm(r.evenShare()) }

// toCome is how many blocks are still to be taken for second stages.
func (r *Referee) toCome() (n int) {
	for _, s := range r.contenders {
		n += s.toCome()
	}
	return n
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

// overForLarge is over for what the fewest blocks confirm: a difference so large that an answer without a verdict would
// be no answer.
const overForLarge = 2

// alarms is what there is to confirm of what the first stage says of a contender: of the measure that the comparison is
// about, of what variants keep of each request, and of the gates but for those by profiles, which have one stage. What
// is exact does not count as an alarm.
func (r *Referee) alarms(s *Contender) (all alarm, err error) {
	found, err := r.rule(s)
	if err != nil {
		return alarm{}, err
	}
	for _, v := range found.Verdicts {
		if !v.Word.Different() || v.Method == Exact || r.profiled(v.Measure) {
			continue
		}
		if all.others = true; r.apart && !v.KnownScatter() {
			all.wanted = max(all.wanted, judge.FewestToConfirm(v.Alpha))
		}
		if len(r.question.Gates) > 0 || !r.isAbout(s, v.Measure) {
			continue
		}
		if all = all.on(v, math.Log(v.Ratio)); v.Measure.Level == judge.Pooled {
			all.wanted = max(all.wanted, r.amongAll(v))
		}
		if r.apart { // as many as give a useful interval
			wanted := float64(v.Starts) * math.Pow(v.Resolution/usefulTo(v), 2)
			all.wanted = max(all.wanted, min(int(math.Ceil(wanted)), 2*v.Starts))
		}
	}
	for i, g := range found.Gates {
		if g.Outcome != gate.Failed || r.byProfiles(g.Gate) {
			continue
		}
		if v, ok := r.failedBy(s, i, found.Verdicts); ok {
			all = all.on(v, g.Gate.Distance(v))
		}
	}
	return all, nil
}

// amongAll is how many blocks confirm a percentile by signs at its share of the level of all measures.
func (r *Referee) amongAll(v judge.Verdict) int {
	return judge.FewestToConfirm(v.Alpha / float64(max(1, len(r.question.Measures))))
}

// isAbout says whether a comparison of a contender is about a measure: it is gated, or as much of interest. A leak
// costs no time at first, and is as much of a reason to measure again.
func (r *Referee) isAbout(s *Contender, m judge.Measure) bool {
	return m == r.gated(s) || slices.Contains(r.question.Beside, m) || !r.apart && measure.OfGrowth(m)
}

// failedBy is the verdict by which gate i failed, if it is to be confirmed.
func (r *Referee) failedBy(s *Contender, i int, verdicts []judge.Verdict) (v judge.Verdict, ok bool) {
	if r.apart {
		v, err := r.onGate(s, i, true)
		return v, err == nil && v.Method != Exact
	}
	at := slices.IndexFunc(verdicts, func(v judge.Verdict) bool { return v.Measure == r.question.Gates[i].Measure })
	if at < 0 {
		return v, false
	}
	return verdicts[at], true
}

// screened says that an alarm has to be confirmed now: its confirmation takes all of the budget that is left. With
// gates, a difference gets the fewest blocks that can confirm it, and the gates keep the rest of the time. Without gates
// there is time, too, for what a start costs, such as memory or allocations, if the fewest blocks of all confirm it: a
// heap of three times the size shows in every start.
func (r *Referee) screened(all []*Contender, perBlock time.Duration) bool {
	if !r.question.Staged() {
		return false
	}
	wanted, ofPercentiles := 0, 0
	for _, s := range all {
		o := r.evenly(s)
		o.Interim = true // there is time for another look
		switch c := r.contest(s); {
		case !c.Shown():
		case len(r.question.Gates) > 0:
			wanted = max(wanted, judge.LeastToConfirm(c.Verdict, math.Log(c.Verdict.Ratio)))
		default:
			wanted = max(wanted, judge.ConfirmingBlocks(c.Verdict, math.Log(c.Verdict.Ratio)))
		}
		for _, g := range r.question.Gates {
			if r.byProfiles(g) {
				continue
			}
			if v, err := r.decide(s, g.Measure, s.Blocks, o); err == nil {
				wanted = max(wanted, g.ConfirmingBlocks(v))
			}
		}
		o.Questions = len(r.question.Measures) // as rule decides on them
		for _, m := range r.question.Measures {
			pooled := m.Level == judge.Pooled && slices.Contains(r.question.Beside, m)
			if len(r.question.Gates) > 0 || m.Level != judge.PerStart && !pooled {
				continue
			}
			switch v, err := r.decide(s, m, s.Blocks, o); {
			case err != nil || !v.Word.Different():
			case pooled:
				ofPercentiles = max(ofPercentiles, r.amongAll(v))
			default:
				if n := judge.LeastToConfirm(v, math.Log(v.Ratio)); measure.OfGrowth(m) || n == judge.LeastAgain {
					wanted = max(wanted, n)
				}
			}
		}
	}
	n := r.Looks[len(r.Looks)-1].Blocks
	untilNext := judge.NextLook(n) - n
	atOnce := r.Budget - r.question.Linking // less time than a second stage takes
	if wanted > 0 && r.Elapsed()+time.Duration(untilNext+wanted)*perBlock > atOnce {
		return true
	}
	next := judge.NextPercentiles(r.Looks[len(r.Looks)-1].Used)
	return ofPercentiles > 0 && time.Duration(next*float64(r.Budget))+time.Duration(ofPercentiles)*perBlock > atOnce
}

// confirm has the second stage of a benchmark decide on all of its alarms.
func (r *Referee) confirm(s *Contender) error {
	for _, f := range r.families {
		c := f.of(s)
		if c == nil || !c.Shown() || c.Verdict.Method == Exact {
			continue
		}
		v, err := r.again(s, f.measure, c.Verdict)
		if err != nil {
			return err
		}
		c.Verdict = v
	}
	for i := range s.gates {
		if s.gates[i].Outcome == gate.Failed {
			s.gates[i].Outcome = gate.Open // judge holds it against the second stage
		}
	}
	return nil
}
