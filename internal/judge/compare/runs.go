package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// StudentT is the method of a verdict on instructions.
const StudentT judge.Method = "Student's t over runs"

// FewestRuns is how many runs of each side show scatter at all. With four the interval is 1.7 standard deviations of a
// run to either side, with two it is 4.3.
const FewestRuns = 2

// DecideRuns compares what starts showed as a whole, the instructions of runs, by the means of their logarithms
// (stats.MeanShift). Ranks and signs, which assume less, take six runs of each side to
// show anything, and a run takes seconds; counts scatter little, and mostly by what starting
// happened to do. With fewer than two runs the measure was not observed.
//
// Two sides that differ by no more than the runs of one side do are the same, unless these differ
// by more than hone calls the same elsewhere (judge.DefaultDelta). A change that is larger has
// to keep its whole interval on one side of 0 to be shown.
func DecideRuns(m judge.Measure, blocks []judge.Block, o judge.Options) (v judge.Verdict, err error) {
	a, b := RunsOf(m, blocks)
	if len(a) < FewestRuns {
		return judge.Verdict{}, judge.ErrNotObserved
	}
	o = o.WithDefaults()
	logA, logB := logs(a, m.Floor), logs(b, m.Floor)
	shift, err := stats.MeanShift(logA, logB, 1-o.Alpha)
	if err != nil {
		return judge.Verdict{}, judge.ErrNotObserved
	}
	equal, err := stats.MeanShift(logA, logB, 1-2*o.Alpha)
	if err != nil {
		return judge.Verdict{}, judge.ErrNotObserved
	}
	scatter := max(rangeOf(logA), rangeOf(logB))
	e := judge.Evidence{Value: shift.Value, Low: shift.Low, High: shift.High, P: shift.P, Level: o.Alpha,
		Starts: len(a), EquivalenceLow: equal.Low, EquivalenceHigh: equal.High}
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
	return v, nil
}

// RunsOf are the values of a measure in the starts of A and of B that show it.
func RunsOf(m judge.Measure, blocks []judge.Block) (a, b []float64) {
	a, b = []float64{}, []float64{}
	for _, block := range blocks {
		x, okA := block.A[m.Key]
		y, okB := block.B[m.Key]
		if okA && okB {
			a, b = append(a, x), append(b, y)
		}
	}
	return a, b
}

// ScatterOf is by how much runs of one side differ at most, as a fraction: the larger of both.
func ScatterOf(m judge.Measure, blocks []judge.Block) float64 {
	a, b := RunsOf(m, blocks)
	return math.Expm1(max(rangeOf(logs(a, m.Floor)), rangeOf(logs(b, m.Floor))))
}

func logs(x []float64, floor float64) []float64 {
	var all []float64
	for _, v := range x {
		all = append(all, math.Log(max(v, floor)))
	}
	return all
}

func meanOf(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(max(1, len(x)))
}

// rangeOf is by how much values differ at most.
func rangeOf(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Max(x) - slices.Min(x)
}
