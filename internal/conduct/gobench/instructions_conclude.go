package gobench

import (
	"math"
	"slices"

	"github.com/gohone/hone/internal/conduct/gobench/instructions"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// conclude fills in the verdicts, whatever ended the rounds.
func (c *counting) conclude() error {
	r := c.result
	r.Instructions = &benchmarks.InstructionCounter{Valgrind: c.valgrind.Version, Settings: [2][]string{}}
	for side := range c.sides {
		r.Instructions.Settings[side] = instructions.Settings(c.sides[side].Env)
	}
	if err := c.referee.End(); err != nil {
		return err
	}
	for _, b := range c.benches {
		b.NoteFunctions(c.task.Gates, b.Blocks)
		ruling, err := c.referee.RuleOn(&b.Contender)
		if err != nil {
			return err
		}
		count := &benchmarks.InstructionCount{Few: b.Few, Many: b.Many}
		count.A, count.B = compare.RunsOf(measure.OperationInstructions, b.Blocks)
		if len(b.Blocks) > 0 {
			count.Scatter = compare.ScatterOf(measure.OperationInstructions, b.Blocks)
			count.Functions, count.Left = b.Functions()
		}
		out := benchmarks.Benchmark{Package: b.pkg.path, Name: b.name, Operations: b.Many, Rounds: len(b.Blocks),
			Instructions: count, Verdicts: ruling.Verdicts, Gates: b.GatesOf(ruling)}
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
				logs[side] += math.Log(b.Runs[side][round].Total)
			}
		}
		mean := func(sum float64) float64 { return math.Exp(sum / float64(len(all))) }
		runs = append(runs, instructions.RunOf(measure.OperationInstructions, mean(logs[0]), mean(logs[1])))
	}
	return runs
}
