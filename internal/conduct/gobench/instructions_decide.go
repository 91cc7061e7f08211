package gobench

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// StudentT is the method of a verdict on instructions.
const StudentT judge.Method = "Student's t over runs"

// decideCounts compares the instructions of the runs of both sides by the means of their
// logarithms (stats.MeanShift). Ranks and signs, which assume less, take six runs of each side to
// show anything, and a run takes seconds; counts scatter little, and mostly by what starting
// happened to do. ok is false with fewer than two runs.
//
// Two sides that differ by no more than the runs of one side do are the same, unless these differ
// by more than hone calls the same elsewhere (judge.DefaultDelta). A change that is larger has
// to keep its whole interval on one side of 0 to be shown.
func decideCounts(m judge.Measure, a, b []float64, o judge.Options) (v judge.Verdict, ok bool) {
	if min(len(a), len(b)) < fewestInstructionRounds {
		return judge.Verdict{}, false
	}
	o = o.WithDefaults()
	logA, logB := logs(a, m.Floor), logs(b, m.Floor)
	shift, err := stats.MeanShift(logA, logB, 1-o.Alpha)
	if err != nil {
		return judge.Verdict{}, false
	}
	equal, err := stats.MeanShift(logA, logB, 1-2*o.Alpha)
	if err != nil {
		return judge.Verdict{}, false
	}
	scatter := max(rangeOf(logA), rangeOf(logB))
	e := judge.Evidence{Value: shift.Value, Low: shift.Low, High: shift.High, P: shift.P, Level: o.Alpha,
		Starts:         len(a),
		EquivalenceLow: equal.Low, EquivalenceHigh: equal.High}
	e.Shown = shift.P <= o.Alpha && math.Abs(shift.Value) > scatter
	v = e.Verdict(m, o)
	v.A, v.B, v.Pairs, v.Looks, v.Method = math.Exp(meanOf(logA)), math.Exp(meanOf(logB)), len(a), 1, StudentT
	if slices.Max(slices.Concat(a, b)) <= m.Floor {
		v.A, v.B = 0, 0
	}
	within := math.Abs(shift.Value) <= scatter && scatter <= math.Log1p(max(o.Delta, judge.DefaultDelta))
	switch percent := units.Digits(100 * math.Expm1(scatter)); {
	case v.Word == judge.Same:
	case e.Shown:
		v.Reason = fmt.Sprintf("p = %.2g by Student's t, and the runs of one side differ by %s %% at most", shift.P,
			percent)
	case within:
		v.Word, v.Need = judge.Same, nil
		v.Reason = fmt.Sprintf("the sides differ by less than the runs of one side do, %s %%", percent)
	default:
		v.Reason = fmt.Sprintf("interval %s, and the runs of one side differ by %s %%", units.Span(v.Low-1, v.High-1),
			percent)
	}
	return v, true
}

func logs(x []float64, floor float64) []float64 {
	var all []float64
	for _, v := range x {
		all = append(all, math.Log(max(v, floor)))
	}
	return all
}

// logRange is by how much the logarithms of values differ at most.
func logRange(x []float64, floor float64) float64 { return rangeOf(logs(x, floor)) }

// judgeCounts holds the gates against a benchmark. A gate on a function is about benchmarks that
// execute it, on either side.
func (c *counting) judgeCounts(b *counted, count *benchmarks.InstructionCount, o judge.Options) []gate.Result {
	var results []gate.Result
	for _, g := range c.task.Gates {
		r := gate.Result{Gate: g, Variant: "B", Outcome: gate.Open, Reason: "it takes two runs of each side"}
		x, y := count.A, count.B
		if g.Function != "" {
			name, err := b.functionNamed(g.Function)
			if err != nil {
				continue // another benchmark executes it: see checkFunctions
			}
			x, y = b.inclusive(0, name), b.inclusive(1, name)
		}
		if v, ok := decideCounts(g.Measure, x, y, o); ok {
			r.Outcome, r.Reason = g.Judge(v)
		}
		results = append(results, r)
	}
	return results
}

// inclusive is what a function costs with what it calls in each run of a side.
func (b *counted) inclusive(side int, name string) []float64 {
	var all []float64
	for _, run := range b.runs[side] {
		all = append(all, run.Inclusive([]string{name})[name])
	}
	return all
}

// checkFunctions refuses a gate on a function that no benchmark executes.
func (c *counting) checkFunctions() error {
	for _, g := range c.task.Gates {
		if g.Function == "" {
			continue
		}
		var err error
		var seen []string
		for _, b := range c.running() {
			if _, err = b.functionNamed(g.Function); err == nil {
				break
			}
			seen = append(seen, b.executed()...)
		}
		if err != nil {
			return gate.UnknownFunction(fmt.Sprintf("gate %q", g.Text), g.Function, seen)
		}
	}
	return nil
}

// executed are the functions that a benchmark executes, on either side.
func (b *counted) executed() []string {
	names := map[string]bool{}
	for _, side := range b.runs {
		for _, run := range side {
			for name, self := range run.Self {
				if self > 0 {
					names[name] = true
				}
			}
		}
	}
	all := make([]string, 0, len(names))
	for name := range names {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// functionNamed is the symbol that a gate means, of those that the benchmark executes.
func (b *counted) functionNamed(name string) (string, error) {
	return gate.FunctionNamed(name, b.executed())
}

// checkGates refuses gates on what is not measured: time where instructions are counted, and the
// other way round.
func (r Task) checkGates() error {
	var faults []error
	for _, g := range r.Gates {
		ofInstructions := g.Function != "" || g.Measure.Key == measure.OperationInstructions.Key
		switch {
		case r.Instructions && !ofInstructions:
			faults = append(faults,
				fmt.Errorf("--gate %q: --instructions counts instructions and no %s: gate on instructions or func(PACKAGE.NAME)", g.Text, g.Measure.Name))
		case !r.Instructions && ofInstructions:
			faults = append(faults,
				fmt.Errorf("--gate %q is a limit on instructions, which are not counted: add --instructions", g.Text))
		}
	}
	return errors.Join(faults...)
}
