package gobench

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// noteFunctions adds to the runs of a benchmark what the functions cost that gates are on. A gate on a function is
// about the benchmarks that execute it, on either side.
func (b *counted) noteFunctions(gates []gate.Gate) {
	for _, g := range gates {
		name, err := b.functionNamed(g.Function)
		if g.Function == "" || err != nil {
			continue
		}
		for side, sample := range [2]func(judge.Block) judge.Sample{
			func(run judge.Block) judge.Sample { return run.A }, func(run judge.Block) judge.Sample { return run.B }} {
			for i, cost := range b.inclusive(side, name) {
				sample(b.Blocks[i])[g.Measure.Key] = cost
			}
		}
	}
}

// gatesOf are the results of the gates that are about a benchmark.
func (b *counted) gatesOf(ruling compare.Ruling) []gate.Result {
	return slices.DeleteFunc(ruling.Gates, func(r gate.Result) bool {
		if r.Gate.Function == "" {
			return false
		}
		_, err := b.functionNamed(r.Gate.Function)
		return err != nil // another benchmark executes it: see checkFunctions
	})
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
