package compare

import (
	"errors"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/judge"
)

// settle moves contenders on whose stages begin together. When their first stage has a verdict, or no time is left,
// their second stage begins if there is an alarm; otherwise they are done. In the second stage they are done when they
// have all of its blocks.
func (r *Referee) settle(all []*Contender, last bool, perBlock time.Duration) error {
	closing := last || r.closed
	switch one := all[0]; {
	case one.done:
		return nil
	case one.late:
		return r.narrow(one, last)
	case one.Confirming():
		if len(one.Blocks) < one.until {
			return nil
		}
		for _, s := range all {
			s.done = true
		}
		if !r.apart { // rule decides on what is measured again
			return nil
		}
		return r.confirm(one)
	}
	why, err := r.settled(all, closing)
	early := why != ""
	switch {
	case err != nil:
		return err
	case early:
	case closing:
		why = StoppedBudget
	case r.apart || !r.screened(all, perBlock):
		return nil
	}
	again, alarmed, err := r.secondStage(all, perBlock)
	if closing && !early {
		if !alarmed && !last {
			all[0].late = true
			return err
		}
		r.outOfTime = true
	}
	for _, s := range all {
		s.lastLook(closing)
		s.why, s.done = why, why != "" && again == 0
		if alarmed {
			s.split = len(s.Blocks)
			s.until = s.split + again
		}
	}
	return err
}

// settled says why the first stage of contenders is over before its budget is; "" if it is not: more blocks could
// change something that counts.
func (r *Referee) settled(all []*Contender, last bool) (why string, err error) {
	if len(r.question.Gates) > 0 {
		if settled, err := r.gatesSettled(all, last); err != nil || !settled {
			return "", err
		}
		return StoppedGates, nil
	}
	for _, s := range all {
		c := r.contest(s)
		if c == nil || !c.Decided || r.apart && !useful(c.Verdict) && !(c.Shown() && r.question.Staged()) {
			return "", nil
		}
	}
	if !r.besideSettled(all, last) {
		return "", nil
	}
	return StoppedDecided, nil
}

// useful says whether the interval of a verdict tells how large a change is: to a quarter of
// it, or to the tolerance. People read the number, not only the word.
func useful(v judge.Verdict) bool { return v.Resolution <= usefulTo(v) }

func usefulTo(v judge.Verdict) float64 { return max(v.Delta, math.Abs(v.Ratio-1)/4) }

// gatesSettled says whether more blocks, or profiles, could change no gate's outcome. Profiles are looked at each time,
// other gates as long as none is open.
func (r *Referee) gatesSettled(all []*Contender, last bool) (bool, error) {
	settled := true
	for _, profiles := range []bool{true, false} {
		for i, g := range r.question.Gates {
			for _, s := range all {
				if r.byProfiles(g) != profiles || !settled && !profiles && !r.apart {
					continue
				}
				open, err := r.judge(s, i, last)
				if err != nil {
					return false, err
				}
				settled = settled && !open
			}
		}
	}
	return settled, nil
}

// judge holds gate i against a contender, and says whether it is open. What is not observed is open: it is not a pass.
// A measure that is not observed, and will not be, keeps nothing waiting.
func (r *Referee) judge(s *Contender, i int, last bool) (open bool, err error) {
	g, j := r.question.Gates[i], &s.gates[i]
	if j.settled() && (r.apart || r.byProfiles(g)) {
		return false, nil
	}
	*j = judged{Result: gate.Result{Gate: g, Variant: s.name, Outcome: gate.Open}}
	j.verdict, err = r.onGate(s, i, last)
	switch {
	case err == nil && s.late && j.verdict.Method != Exact:
		j.Outcome, j.Reason = g.JudgeLate(j.verdict)
	case err == nil:
		j.Outcome, j.Reason = g.Judge(j.verdict)
		if r.apart && j.Outcome == gate.Failed && s.Confirming() && s.done && j.verdict.Method != Exact {
			if v, err := r.again(s, g.Measure, j.verdict); err == nil {
				j.Outcome, j.Reason = g.Judge(v)
			}
		}
	case r.byProfiles(g) && !errors.Is(err, judge.ErrNotObserved):
		return false, err
	case r.byProfiles(g) || g.Measure.Level == judge.Pooled: // too few requests so far, or no look at percentiles
	case errors.Is(err, judge.ErrNotObserved) && r.question.Missing != nil:
		j.Reason, j.never = r.question.Missing(s, g.Measure), len(s.Blocks) > 0
	default:
		j.Reason, j.never = err.Error(), true
	}
	return j.Outcome == gate.Open && !j.never, nil
}

// onGate is the verdict of the first stage that gate i is held against: that by which it fails, if it does, and else
// that of the whole budget.
func (r *Referee) onGate(s *Contender, i int, last bool) (judge.Verdict, error) {
	g := r.question.Gates[i]
	if r.byProfiles(g) {
		return r.functionVerdict(s, i)
	}
	o := r.evenly(s)
	o.Interim = !last
	if o.Alarms < 1 && !s.late {
		if v, err := r.decide(s, g.Measure, s.first(), o.Alarming()); err == nil {
			if outcome, _ := g.Judge(v); outcome == gate.Failed {
				return v, nil
			}
		}
	}
	return r.decide(s, g.Measure, s.first(), o)
}

// besideSettled says whether the measures beside the gated one are shown to differ, or to be the same.
func (r *Referee) besideSettled(all []*Contender, last bool) bool {
	for _, m := range r.question.Beside {
		for _, s := range all {
			o := r.evenly(s)
			o.Interim = !last
			v, err := r.decide(s, m, s.first(), o)
			if err != nil && m.Level == judge.Pooled || err == nil && !r.endsMeasure(v) {
				return false
			}
		}
	}
	return true
}

// endsMeasure says whether a verdict settles a measure of Question.Beside: it shows a difference, or a bound of the change
// that is worth saying. Percentiles scatter far more than CPU time does: 1 % of them is out of reach of most budgets.
func (r *Referee) endsMeasure(v judge.Verdict) bool {
	return v.Settled(max(v.Delta, r.question.Options.Excluded))
}

// gateOn says whether a gate is on a measure.
func (r *Referee) gateOn(m judge.Measure) bool {
	return slices.ContainsFunc(r.question.Gates, func(g gate.Gate) bool { return g.Measure == m })
}
