package gobench

import (
	"cmp"
	"math"
	"slices"

	"github.com/gohone/hone/internal/conduct/callgrind"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// leastShare is the part of all instructions from which on a function, or its change, is listed.
const leastShare = 0.001

// mostFunctions is how many functions of a benchmark are listed.
const mostFunctions = 100

// functions are the counts of all functions worth listing.
func (b *counted) functions() (all []benchmarks.FunctionCount, left int) {
	total := meanOf(totals(b.runs[0]))
	names := map[string]bool{}
	for _, side := range b.runs {
		for _, run := range side {
			for name := range run.Self {
				names[name] = true
			}
		}
	}
	for name := range names {
		a, bb := selfOf(b.runs[0], name), selfOf(b.runs[1], name)
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
func (b *counted) addInclusive(all []benchmarks.FunctionCount) {
	var names []string
	for _, f := range all {
		names = append(names, f.Function)
	}
	for side, runs := range b.runs {
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

// conclude fills in the verdicts, whatever ended the rounds.
func (c *counting) conclude() error {
	r := c.result
	r.Instructions = &benchmarks.InstructionCounter{Valgrind: c.valgrind.version, Settings: [2][]string{}}
	for side := range c.sides {
		r.Instructions.Settings[side] = valgrindSettings(c.sides[side].env)
	}
	if err := c.referee.End(); err != nil {
		return err
	}
	for _, b := range c.benches {
		b.noteFunctions(c.task.Gates)
		ruling, err := c.referee.RuleOn(&b.Contender)
		if err != nil {
			return err
		}
		count := &benchmarks.InstructionCount{Few: b.few, Many: b.many}
		count.A, count.B = compare.RunsOf(measure.OperationInstructions, b.Blocks)
		if len(b.Blocks) > 0 {
			count.Scatter = compare.ScatterOf(measure.OperationInstructions, b.Blocks)
			count.Functions, count.Left = b.functions()
		}
		out := benchmarks.Benchmark{Package: b.pkg.path, Name: b.name, Operations: b.many, Rounds: len(b.Blocks),
			Instructions: count, Verdicts: ruling.Verdicts, Gates: b.gatesOf(ruling)}
		putCaveats(&out, b.bench)
		r.Benchmarks = append(r.Benchmarks, out)
	}
	v, err := compare.DecideRuns(measure.OperationInstructions, c.meanRuns(), c.task.options())
	if err == nil {
		r.Geomean = append(r.Geomean, v)
	}
	return nil
}

// meanRuns are the geometric means over all benchmarks of each round; none of less than two.
func (c *counting) meanRuns() (runs []judge.Block) {
	all := slices.DeleteFunc(slices.Clone(c.running()), func(b *counted) bool { return len(b.changed()) > 0 })
	for round := 0; round < c.result.Rounds && len(all) > 1; round++ {
		var logs [2]float64
		for side := range logs {
			for _, b := range all {
				logs[side] += math.Log(b.runs[side][round].Total)
			}
		}
		mean := func(sum float64) float64 { return math.Exp(sum / float64(len(all))) }
		runs = append(runs, runOf(measure.OperationInstructions, mean(logs[0]), mean(logs[1])))
	}
	return runs
}

func totals(runs []*callgrind.Costs) []float64 {
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
