package instructions

import (
	"cmp"
	"math"
	"slices"

	"github.com/gohone/hone/internal/conduct/callgrind"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// leastShare is the part of all instructions from which on a function, or its change, is listed.
const leastShare = 0.001

// mostFunctions is how many functions of a benchmark are listed.
const mostFunctions = 100

// Functions are the counts of all functions worth listing.
func (b *Counts) Functions() (all []benchmarks.FunctionCount, left int) {
	total := meanOf(Totals(b.Runs[0]))
	names := map[string]bool{}
	for _, side := range b.Runs {
		for _, run := range side {
			for name := range run.Self {
				names[name] = true
			}
		}
	}
	for name := range names {
		a, bb := selfOf(b.Runs[0], name), selfOf(b.Runs[1], name)
		f := benchmarks.FunctionCount{Function: name, SelfA: meanOf(a), SelfB: meanOf(bb)}
		change := f.SelfB - f.SelfA
		f.Share = 100 * change / total
		f.Shown = math.Abs(change) > max(rangeOf(a), rangeOf(bb)) && math.Abs(change) >= leastShare*total
		if f.Shown || max(f.SelfA, f.SelfB) >= leastShare*total {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(x, y benchmarks.FunctionCount) int {
		return cmp.Or(-cmp.Compare(shownChange(x), shownChange(y)),
			-cmp.Compare(max(x.SelfA, x.SelfB), max(y.SelfA, y.SelfB)), cmp.Compare(x.Function, y.Function))
	})
	all = all[:min(len(all), mostFunctions)]
	b.addInclusive(all)
	return all, len(names) - len(all)
}

// shownChange orders functions: those with a change by its size, then the others.
func shownChange(f benchmarks.FunctionCount) float64 {
	if !f.Shown {
		return 0
	}
	return math.Abs(f.SelfB - f.SelfA)
}

// addInclusive fills in the costs with what is called, each the mean over the runs of a side.
func (b *Counts) addInclusive(all []benchmarks.FunctionCount) {
	var names []string
	for _, f := range all {
		names = append(names, f.Function)
	}
	for side, runs := range b.Runs {
		for _, run := range runs {
			inclusive := run.Inclusive(names)
			for i := range all {
				part := inclusive[all[i].Function] / float64(len(runs))
				if side == 0 {
					all[i].InclusiveA += part
				} else {
					all[i].InclusiveB += part
				}
			}
		}
	}
}

// Totals are the instructions of an operation in each run.
func Totals(runs []*callgrind.Costs) []float64 {
	all := []float64{}
	for _, r := range runs {
		all = append(all, r.Total)
	}
	return all
}

func selfOf(runs []*callgrind.Costs, name string) []float64 {
	var all []float64
	for _, r := range runs {
		all = append(all, r.Self[name])
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

// Counts are those of the runs of a benchmark.
type Counts struct {
	Few, Many int                   // iterations of the two processes of a run
	Runs      [2][]*callgrind.Costs // of A and B, by round
	Starts    [2][]float64          // instructions of a process beside its operations, likewise
}

// RunOf is one run of both sides.
func RunOf(m judge.Measure, a, b float64) judge.Block {
	return judge.Block{A: judge.Sample{m.Key: a}, B: judge.Sample{m.Key: b}}
}
