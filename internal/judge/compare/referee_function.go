package compare

import (
	"errors"
	"fmt"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/stats"
)

// FunctionCPU is what a gate such as func(main.work)<+5% is on: the CPU time of a request in one
// function and all that it calls, from CPU profiles.
var FunctionCPU = Measure{Key: functionKey, Name: "CPU per request", Unit: "ns", Better: Lower, Level: PerStart}

// GateMeasures are what a gate on a comparison under load may be on.
var GateMeasures = append(append([]Measure{}, Measures...), FunctionCPU)

// QuasiBinomial is the method of a verdict on one function.
const QuasiBinomial Method = "share of profile samples over starts"

// ProfileFunction compares one function of variant i, the first behind A being 0, with A's, by the
// profiles so far. whole is what a request costs. The error is ErrNotObserved where there are no
// profiles; an unknown function is one of another kind, which ends the measurement.
type ProfileFunction func(i int, function string, whole prof.Whole, alpha float64) (prof.FunctionRatio, error)

// functionVerdict decides on a gate of a function for variant i. Each look has its own part of the level,
// the part of the budget that it used (stats.PowerSpending), so that the intervals of all looks
// hold together. Once its gate is passed or failed the verdict stands.
func (r *Referee) functionVerdict(i int, g Gate) (Verdict, error) {
	key := fmt.Sprintf("%d %s", i, g.Text)
	if v, known := r.functions[key]; known {
		return v, nil
	}
	o := r.gateOptions()
	whole, ok := r.contests[i].Verdict.Whole()
	if r.question.Function == nil || !r.contests[i].Known || !ok {
		return Verdict{}, ErrNotObserved
	}
	f, err := r.question.Function(i, g.Function, whole, partOfLevel(o.Alpha, r.Looks))
	if err != nil {
		return Verdict{}, err
	}
	v := verdictOfFunction(g.Measure, f, o)
	if outcome, _ := g.Judge(v); outcome != Open {
		r.functions[key] = v
	}
	return v, nil
}

// partOfLevel is what the latest look may spend of a level.
func partOfLevel(alpha float64, looks []Look) float64 {
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
func verdictOfFunction(m Measure, f prof.FunctionRatio, o Options) Verdict {
	e := Evidence{Value: f.LogRatio, Low: f.Low, High: f.High, EquivalenceLow: f.Low, EquivalenceHigh: f.High,
		P: f.P, Level: o.Alpha, Starts: f.Starts, Shown: f.Low > 0 || f.High < 0}
	v := e.Verdict(m, o)
	v.A, v.B, v.Pairs, v.Looks, v.Method = f.A, f.B, f.Starts, max(1, len(o.Looks)), QuasiBinomial
	v.Reason = fmt.Sprintf("%.0f samples of %.0f on A and %.0f of %.0f on B, from %s of each", f.SamplesA, f.AllA, f.SamplesB, f.AllB, count(f.Starts, "start"))
	return v
}

// FunctionsOpen says whether a gate on a function is not settled, so that more profiles help.
func (r *Referee) FunctionsOpen() bool {
	for _, g := range r.question.Gates {
		if g.Function == "" {
			continue
		}
		for i := range r.contests {
			if _, settled := r.functions[fmt.Sprintf("%d %s", i, g.Text)]; !settled {
				return true
			}
		}
	}
	return false
}

// functionsSettled says whether more profiles could change no outcome of a gate on a function.
func (r *Referee) functionsSettled() (bool, error) {
	settled := true
	for _, g := range r.question.Gates {
		if g.Function == "" {
			continue
		}
		for i := range r.contests {
			v, err := r.functionVerdict(i, g)
			switch {
			case errors.Is(err, ErrNotObserved):
				settled = false
			case err != nil:
				return false, err
			default:
				outcome, _ := g.Judge(v)
				settled = settled && outcome != Open
			}
		}
	}
	return settled, nil
}

// ruleFunction is the final result of a gate on a function. What is open says how many samples there were.
func (r *Referee) ruleFunction(i int, g Gate, out *Ruling) GateResult {
	result := GateResult{Gate: g, Variant: r.question.Variants[i], Outcome: Open, Reason: "there are no CPU profiles of both variants"}
	v, err := r.functionVerdict(i, g)
	switch {
	case errors.Is(err, ErrNotObserved):
		return result
	case err != nil:
		result.Reason = err.Error()
		return result
	}
	result.Outcome, result.Reason = g.Judge(v)
	result.Reason += "; " + v.Reason
	if result.Outcome == Open {
		if need := g.Need(v); need != nil {
			result.Reason += fmt.Sprintf("; about %s more of each would do", count(need.Starts, "start"))
		}
	}
	out.Verdicts = append(out.Verdicts, v)
	return result
}
