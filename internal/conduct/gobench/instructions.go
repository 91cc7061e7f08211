package gobench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/conduct/callgrind"
	"github.com/gohone/hone/internal/conduct/conductor"
	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/instructions"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/judge"
)

// What Bench.Instructions takes for fields that are not set.
const (
	// InstructionsDelta is the tolerance of "the same": two builds of one source were seen to
	// agree within it (make bench CASE=instructions).
	InstructionsDelta = 0.001
	// instructionRounds is how often each benchmark is counted on each side: see compare.FewestRuns.
	instructionRounds = 4
)

// counted is one benchmark whose instructions are counted.
type counted struct {
	*bench
	instructions.Counts
}

// counting is the part of a measurement that counts instructions instead of time.
type counting struct {
	*measurement
	benches []*counted
}

// countInstructions counts the instructions of each benchmark of the packages on both sides, in
// rounds, in random order. One run is two processes with few and with many iterations: what they
// differ by is of the operations alone. There are no looks: the number of rounds is known before.
func (m *measurement) countInstructions(ctx context.Context, packages []*pkg) error {
	c := &counting{measurement: m}
	for _, p := range packages {
		if err := c.add(ctx, p); err != nil {
			return err
		}
	}
	if ready, err := m.ready(len(packages), len(c.benches)); !ready {
		return err
	}
	err := errors.Join(c.rounds(ctx), c.conclude(), m.sinks[0].close(), m.sinks[1].close())
	m.leaveOutFailed()
	m.markChanged()
	return err
}

// add finds the benchmarks of a package that both sides have, without valgrind, and for each how
// many iterations tell enough. What fails is noted.
func (c *counting) add(ctx context.Context, p *pkg) error {
	c.task.Progress.Phase(fmt.Sprintf("find the benchmarks of %s", p.path), 0)
	var found [2]benchtext.Listing
	for side := range c.sides {
		var err error
		if found[side], err = c.find(ctx, p, side, 1); err != nil {
			return err
		}
	}
	for _, once := range c.match(p, 1, found) {
		one := &counted{bench: &bench{pkg: p, name: string(once[1].Name), procs: 1, config: configOf(once[1], p)}}
		one.Measures = []judge.Measure{measure.OperationInstructions}
		c.task.Progress.Phase(fmt.Sprintf("try %s %s under valgrind", p.path, one.name), 0)
		var err error
		one.Few, one.Many, err = c.valgrind.ChooseIterations(ctx, [2]instructions.Emulated{c.under(one, 0), c.under(one, 1)},
			c.task.Iterations, time.Duration(max(benchtext.Nanos(once[0]), benchtext.Nanos(once[1]))))
		switch {
		case err == nil:
			one.n = one.Many
			c.benches, c.measurement.benches = append(c.benches, one), append(c.measurement.benches, one.bench)
		case !c.lose(p.path, one.name, err):
			return err
		}
	}
	return nil
}

// rounds counts every benchmark once on each side, again and again, and checks those that are faster.
func (c *counting) rounds(ctx context.Context) error {
	c.referee = c.refereeOfRuns()
	r := c.result
	r.Started, r.Budget, r.Stopped = time.Now(), c.referee.Budget, benchmarks.StoppedFailed
	c.task.Progress.Phase(fmt.Sprintf("count the instructions of %d benchmark(s), %d times on each side",
		len(c.benches), c.referee.Most), r.Budget)
	defer func() { r.Elapsed = c.referee.Elapsed() }()
	return conductor.Conduct(ctx, c.referee.Pace, c)
}

// refereeOfRuns returns the referee of what is counted, whose time begins. It decides once, in the end, on all runs.
func (c *counting) refereeOfRuns() *compare.Referee {
	var all []*compare.Contender
	for _, b := range c.benches {
		all = append(all, &b.Contender)
	}
	r := compare.NewRefereeOf(compare.Question{
		Gated: measure.OperationInstructions, Gates: c.task.Gates, Options: c.task.options(),
		Budget: c.task.instructionBudget(len(c.benches)), Most: cmp.Or(c.task.Count, instructionRounds),
		Together: true, WholeBudget: true, Decide: compare.DecideRuns,
		Missing: func(*compare.Contender, judge.Measure) string { return "it takes two runs of each side" },
	}, all...)
	r.Extend(compare.FewestRuns, 0)
	return r
}

// Sample is a round.
func (c *counting) Sample(ctx context.Context, round int) (took time.Duration, err error) {
	began := time.Now()
	if err := c.round(ctx); err != nil {
		if ctx.Err() != nil {
			c.result.Stopped = benchmarks.StoppedInterrupted
		}
		return 0, err
	}
	if c.result.Rounds++; round == 0 {
		err = c.checkFunctions()
	}
	return time.Since(began), err
}

// Look has the referee decide after the last round.
func (c *counting) Look(latest time.Duration) (over bool, err error) {
	if over, err = c.referee.LookAfter(c.result.Rounds, latest); !over || err != nil {
		return over, err
	}
	if c.result.Stopped = compare.StoppedBudget; c.result.Rounds >= c.referee.Most {
		c.result.Stopped = benchmarks.StoppedCount
	}
	return true, nil
}

// Finish asks after the last round what a faster B does less of.
func (c *counting) Finish(ctx context.Context, last bool) error {
	if !last {
		return nil
	}
	return c.checkFaster(ctx)
}

// instructionBudget is the most time for the rounds over n benchmarks, 0 without a limit. A run
// takes about 3 s, so that four rounds take about 25 s for each. Two rounds are taken in any case.
func (r Task) instructionBudget(n int) time.Duration {
	return r.budgetOr(min(15*time.Minute, time.Duration(n)*60*time.Second))
}

// round counts each benchmark that has not failed once on each side, in random order.
func (c *counting) round(ctx context.Context) error {
	todo := c.running()
	c.rng.Shuffle(len(todo), func(i, j int) { todo[i], todo[j] = todo[j], todo[i] })
	for i, b := range todo {
		c.task.Progress.Tick(progress.Tick{Done: c.referee.Elapsed(), Total: c.result.Budget, NoLoad: true,
			Note: fmt.Sprintf("round %d, benchmark %d of %d: %s", c.result.Rounds+1, i+1, len(todo), b.name)})
		if err := c.pair(ctx, b); err != nil && !c.loseBench(b.bench, err) {
			return err
		}
	}
	return nil
}

// running are the benchmarks that have not failed.
func (c *counting) running() []*counted {
	return slices.DeleteFunc(slices.Clone(c.benches), func(b *counted) bool { return b.Lost() })
}

// pair counts a benchmark once on each side, in random order. A pair that is not complete leaves
// nothing.
func (c *counting) pair(ctx context.Context, b *counted) error {
	var costs [2]*callgrind.Costs
	var starts [2]float64
	first := c.rng.IntN(2)
	for _, side := range []int{first, 1 - first} {
		var err error
		if costs[side], starts[side], err = c.valgrind.Count(ctx, c.under(b, side), b.Few, b.Many); err != nil {
			return err
		}
	}
	for side, one := range costs {
		b.Runs[side], b.Starts[side] = append(b.Runs[side], one), append(b.Starts[side], starts[side])
		result := &benchfmt.Result{Config: b.config, Name: benchfmt.Name(b.name), Iters: b.Many - b.Few,
			Values: []benchfmt.Value{{Value: one.Total, Unit: measure.InstructionsUnit}}}
		if err := c.sinks[side].add(result); err != nil {
			return err
		}
	}
	b.Blocks = append(b.Blocks, instructions.RunOf(measure.OperationInstructions, costs[0].Total, costs[1].Total))
	return nil
}

// under is how a benchmark of a side runs under valgrind.
func (c *counting) under(b *counted, side int) instructions.Emulated {
	return instructions.Emulated{Side: c.sides[side], Binary: b.pkg.binaries[side], Pkg: b.pkg.path, Name: b.name,
		Args: c.task.Args, Timeout: c.task.Timeout, File: filepath.Join(c.temp, "callgrind.out")}
}
