package compare

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/judge/power"
)

// Ruling is the final decision on one contender.
type Ruling struct {
	// Word is that on the gated measure, Undecided where it was not observed.
	Word judge.Word
	// Verdicts are those on all measures that were observed, in the order of the question; of a benchmark in that in which
	// they were seen, the one that settles it first.
	Verdicts []judge.Verdict
	Gates    []gate.Result
}

// Rule decides on every measure of variant i, given its blocks with A, and holds the
// gates against them. Gates are judged by all blocks; the verdict on the gated measure
// stands as it was reached. The error joins those of measures that could not be decided;
// the ruling is without these.
func (r *Referee) Rule(i int, blocks []judge.Block) (Ruling, error) {
	r.contenders[i].Blocks = blocks
	return r.rule(r.contenders[i])
}

// RuleOn is the ruling on a benchmark: what looks decided.
func (r *Referee) RuleOn(s *Contender) (Ruling, error) { return r.rule(s) }

func (r *Referee) rule(s *Contender) (out Ruling, err error) {
	if r.apart {
		out, err = r.ruleByLooks(s)
	} else {
		out, err = r.ruleByBlocks(s)
	}
	gated := r.gated(s)
	for i, v := range out.Verdicts {
		out.Verdicts[i] = Excluding(v, r.question.Options.Excluded)
		if v.Measure == gated {
			out.Verdicts[i].Modes = power.ModesOf(gated, s.Blocks, r.question.Options)
			out.Verdicts[i].Width = power.WidthOf(v, s.stageOf(v))
		}
		if v.Measure == gated && v.Word == out.Word {
			out.Word = out.Verdicts[i].Word
		}
	}
	return out, err
}

// ruleByBlocks is the ruling on a variant.
func (r *Referee) ruleByBlocks(s *Contender) (Ruling, error) {
	out := Ruling{Word: judge.Undecided}
	var faults []error
	for _, m := range r.question.Measures {
		o := r.evenly(s)
		if m != r.question.Gated && !r.gateOn(m) {
			o.Questions = len(r.question.Measures)
		}
		switch v, err := judge.DecideInStages(m, s.Blocks, r.knowing(s, m, o), r.alarmOn(s, m)); {
		case err == nil:
			out.Verdicts = append(out.Verdicts, v)
		case !errors.Is(err, judge.ErrNotObserved):
			faults = append(faults, err)
		}
	}
	on := func(m judge.Measure) int {
		return slices.IndexFunc(out.Verdicts, func(v judge.Verdict) bool { return v.Measure == m })
	}
	for i, g := range r.question.Gates {
		if r.byProfiles(g) {
			out.Gates = append(out.Gates, r.ruleFunction(s, i, &out))
			continue
		}
		result := gate.Result{
			Gate: g, Variant: s.name, Outcome: gate.Open,
			Reason: fmt.Sprintf("compare %s: %v", g.Measure.Name, judge.ErrNotObserved),
		}
		if at := on(g.Measure); at >= 0 {
			result.Outcome, result.Reason = g.Judge(out.Verdicts[at])
		}
		out.Gates = append(out.Gates, result)
	}
	if at, c := on(r.question.Gated), r.contest(s); c.Known && at >= 0 {
		c.Verdict = r.onGated(s, out.Verdicts[at])
		out.Verdicts[at], out.Word = c.Verdict, c.Verdict.Word
	}
	return out, errors.Join(faults...)
}

// ruleByLooks is the ruling on a benchmark.
func (r *Referee) ruleByLooks(s *Contender) (Ruling, error) {
	out, gated := Ruling{Word: judge.Undecided}, r.family(r.gated(s))
	for i, f := range append([]*family{gated}, r.families...) {
		c := f.of(s)
		if c == nil || !c.Known || f == gated && i > 0 {
			continue
		}
		if out.Verdicts = append(out.Verdicts, c.Verdict); f == gated {
			out.Word = c.Verdict.Word
		}
	}
	for i := range r.question.Gates {
		if _, err := r.judge(s, i, true); err != nil {
			return out, err
		}
		out.Gates = append(out.Gates, s.gates[i].Result)
	}
	return out, nil
}

// alarmOn says which verdicts on a measure are to be confirmed: differences, and those that fail a gate.
func (r *Referee) alarmOn(s *Contender, m judge.Measure) func(judge.Verdict) bool {
	return func(v judge.Verdict) bool {
		return v.Word.Different() || m == r.question.Gated && r.contest(s).Shown() ||
			slices.ContainsFunc(r.question.Gates, func(g gate.Gate) bool {
				outcome, _ := g.Judge(v)
				return g.Measure == m && !r.byProfiles(g) && outcome == gate.Failed
			})
	}
}

// LargeGain is the ratio of B to A below which a gain may be one that a cache for a repeated request has.
const LargeGain = 0.7

// Gains says whether variant i is faster than A, as Rule says it, given its blocks with A. Such a gain is checked once
// more: programs can notice that they are measured, and answer what is repeated from memory.
func (r *Referee) Gains(i int, blocks []judge.Block) bool {
	s := r.contenders[i]
	s.Blocks = blocks
	o := r.knowing(s, r.question.Gated, r.evenly(s))
	v, err := judge.DecideInStages(r.question.Gated, blocks, o, r.alarmOn(s, r.question.Gated))
	return err == nil && r.onGated(s, v).Word == judge.Faster
}

// onGated is the verdict on the gated measure of a variant: it stands as it was reached, unless it was measured again, or
// was open when the second stage of another measure began: then the blocks of both stages say more at the same level.
func (r *Referee) onGated(s *Contender, v judge.Verdict) judge.Verdict {
	c := r.contest(s)
	if !c.Known || r.question.Together || v.First != nil {
		return v
	}
	if reached := c.Verdict; s.Confirming() && reached.Word == judge.Undecided &&
		(!reached.Bounded() || reached.Alpha == v.Alpha) {
		return v
	}
	return c.Verdict
}
