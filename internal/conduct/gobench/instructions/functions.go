package instructions

import (
	"slices"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/judge"
)

// NoteFunctions adds to the blocks of a benchmark, which are its runs, what the functions cost that gates are on. A
// gate on a function is about the benchmarks that execute it, on either side.
func (b *Counts) NoteFunctions(gates []gate.Gate, blocks []judge.Block) {
	for _, g := range gates {
		name, err := b.FunctionNamed(g.Function)
		if g.Function == "" || err != nil {
			continue
		}
		for side, sample := range [2]func(judge.Block) judge.Sample{
			func(run judge.Block) judge.Sample { return run.A }, func(run judge.Block) judge.Sample { return run.B }} {
			for i, cost := range b.inclusive(side, name) {
				sample(blocks[i])[g.Measure.Key] = cost
			}
		}
	}
}

// GatesOf are the results of the gates that are about a benchmark.
func (b *Counts) GatesOf(ruling compare.Ruling) []gate.Result {
	return slices.DeleteFunc(ruling.Gates, func(r gate.Result) bool {
		if r.Gate.Function == "" {
			return false
		}
		_, err := b.FunctionNamed(r.Gate.Function)
		return err != nil // another benchmark executes it: see checkFunctions
	})
}

// inclusive is what a function costs with what it calls in each run of a side.
func (b *Counts) inclusive(side int, name string) []float64 {
	var all []float64
	for _, run := range b.Runs[side] {
		all = append(all, run.Inclusive([]string{name})[name])
	}
	return all
}

// Executed are the functions that a benchmark executes, on either side.
func (b *Counts) Executed() []string {
	names := map[string]bool{}
	for _, side := range b.Runs {
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

// FunctionNamed is the symbol that a gate means, of those that the benchmark executes.
func (b *Counts) FunctionNamed(name string) (string, error) {
	return gate.FunctionNamed(name, b.Executed())
}
