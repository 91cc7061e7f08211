package compare

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof/diff"
	"github.com/gohone/hone/stats"
)

// QuasiBinomial is the method of a verdict on one function.
const QuasiBinomial judge.Method = "share of profile samples over starts"

// ProfileFunction compares one function of variant i, the first behind A being 0, with A's, by the
// profiles so far. whole is what a request costs. The error is ErrNotObserved where there are no
// profiles; an unknown function is one of another kind, which ends the measurement.
type ProfileFunction func(i int, function string, whole diff.Whole, alpha float64) (diff.FunctionRatio, error)

// byProfiles says that a gate is on a function of a variant: profiles say what it costs.
func (r *Referee) byProfiles(g gate.Gate) bool { return g.Function != "" && !r.apart }

// profiled says that a gate by profiles is on a measure.
func (r *Referee) profiled(m judge.Measure) bool {
	return slices.ContainsFunc(r.question.Gates, func(g gate.Gate) bool { return g.Measure == m && r.byProfiles(g) })
}

// functionVerdict decides on a gate of a function for a variant. Each look has its own part of the level,
// the part of the budget that it used (stats.PowerSpending), so that the intervals of all looks
// hold together. Once its gate is passed or failed the verdict stands.
func (r *Referee) functionVerdict(s *Contender, i int) (judge.Verdict, error) {
	g := r.question.Gates[i]
	if j := s.gates[i]; j.settled() {
		return j.verdict, nil
	}
	o, c := r.evenly(s), r.contest(s)
	whole, ok := Whole(c.Verdict)
	if r.question.Function == nil || !c.Known || !ok {
		return judge.Verdict{}, judge.ErrNotObserved
	}
	f, err := r.question.Function(slices.Index(r.contenders, s), g.Function, whole, partOfLevel(o.Alpha, r.Looks))
	if err != nil {
		return judge.Verdict{}, err
	}
	v := verdictOfFunction(g.Measure, f, o)
	if outcome, reason := g.Judge(v); outcome != gate.Open {
		s.gates[i] = judged{Result: gate.Result{Gate: g, Variant: s.name, Outcome: outcome, Reason: reason}, verdict: v}
	}
	return v, nil
}

// partOfLevel is what the latest look may spend of a level.
func partOfLevel(alpha float64, looks []judge.Look) float64 {
	n := len(looks)
	if n == 0 {
		return alpha
	}
	part := stats.PowerSpending(alpha, looks[n-1].Used)
	if n > 1 {
		part -= stats.PowerSpending(alpha, looks[n-2].Used)
	}
	return max(part, alpha*1e-6) // two looks at the same time: an interval that is far too wide
}

// verdictOfFunction puts a comparison of one function in words.
func verdictOfFunction(m judge.Measure, f diff.FunctionRatio, o judge.Options) judge.Verdict {
	e := judge.Evidence{Value: f.LogRatio, Low: f.Low, High: f.High, EquivalenceLow: f.Low, EquivalenceHigh: f.High,
		P: f.P, Level: o.Alpha, Starts: f.Starts, Shown: f.Low > 0 || f.High < 0}
	v := e.Verdict(m, o)
	v.A, v.B, v.Pairs, v.Looks, v.Method = f.A, f.B, f.Starts, max(1, len(o.Looks)), QuasiBinomial
	v.Reason = fmt.Sprintf("%.0f samples of %.0f on A and %.0f of %.0f on B, from %s of each", f.SamplesA, f.AllA,
		f.SamplesB, f.AllB, units.Plural(f.Starts, "start"))
	return v
}

// FunctionsOpen says whether a gate on a function is not settled, so that more profiles help.
func (r *Referee) FunctionsOpen() bool {
	for i, g := range r.question.Gates {
		if r.byProfiles(g) && slices.ContainsFunc(r.contenders, func(s *Contender) bool {
			return !s.gates[i].settled()
		}) {
			return true
		}
	}
	return false
}

// ruleFunction is the final result of a gate on a function. What is open says how many samples there were.
func (r *Referee) ruleFunction(s *Contender, i int, out *Ruling) gate.Result {
	g := r.question.Gates[i]
	result := gate.Result{Gate: g, Variant: s.name, Outcome: gate.Open,
		Reason: "there are no CPU profiles of both variants"}
	v, err := r.functionVerdict(s, i)
	switch {
	case errors.Is(err, judge.ErrNotObserved):
		return result
	case err != nil:
		result.Reason = err.Error()
		return result
	}
	result.Outcome, result.Reason = g.Judge(v)
	result.Reason += "; " + v.Reason
	if result.Outcome == gate.Open {
		if need := g.Need(v); need != nil {
			result.Reason += fmt.Sprintf("; about %s more of each would do", units.Plural(need.Starts, "start"))
		}
	}
	out.Verdicts = append(out.Verdicts, v)
	return result
}
