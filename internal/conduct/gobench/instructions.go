package gobench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/conduct/callgrind"
	"github.com/gohone/hone/internal/conduct/conductor"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// What Bench.Instructions takes for fields that are not set.
const (
	// InstructionsDelta is the tolerance of "the same": two builds of one source were seen to
	// agree within it (make bench CASE=instructions).
	InstructionsDelta = 0.001
	// instructionRounds is how often each benchmark is counted on each side: see compare.FewestRuns.
	instructionRounds = 4
	// instructionTarget is how many instructions the longer process of a run executes more than
	// the shorter one. Starts of one binary differ by some 80,000 (seen with Go 1.26), which is
	// 0.08 % of it. Callgrind executes about 75 million in a second.
	instructionTarget = 100e6
	// setUpShare is how much of that the shorter process does, for caches and pools to fill.
	setUpShare = 4
	// pilotTarget is how many instructions tell what an operation costs, to about 2 %.
	pilotTarget = 5e6
	// longOperation is an operation that takes so long without valgrind that two of them do.
	longOperation = 20 * time.Millisecond
)

// counted is one benchmark whose instructions are counted.
type counted struct {
	*bench
	few, many int                   // iterations of the two processes of a run
	runs      [2][]*callgrind.Costs // of A and B, by round
	starts    [2][]float64          // instructions of a process beside its operations, likewise
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
	var found [2]listing
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
		switch err := c.chooseIterations(ctx, one, time.Duration(max(nanos(once[0]), nanos(once[1])))); {
		case err == nil:
			one.n = one.many
			c.benches, c.measurement.benches = append(c.benches, one), append(c.measurement.benches, one.bench)
		case !c.lose(p.path, one.name, err):
			return err
		}
	}
	return nil
}

// chooseIterations finds how many iterations the two processes of a run do, the same on both
// sides. once is how long one took without valgrind.
func (c *counting) chooseIterations(ctx context.Context, b *counted, once time.Duration) error {
	more := 0.0
	switch {
	case c.task.Iterations > 0:
		more = setUpShare * float64(c.task.Iterations)
	case once >= longOperation:
		more = 2
	default:
		perOperation, n := 0.0, 1
		for _, side := range []int{1, 0} {
			cost, used, err := c.pilotSide(ctx, b, side, n)
			if err != nil {
				return err
			}
			perOperation, n = max(perOperation, cost), used
		}
		more = instructionTarget / max(perOperation, 1)
	}
	b.few = max(1, readable(more/setUpShare))
	b.many = b.few + max(2, readable(more))
	return nil
}

// pilotSide finds about what an operation costs on a side, from n iterations on in steps of ten,
// and how many iterations it took to know.
func (c *counting) pilotSide(ctx context.Context, b *counted, side, n int) (perOperation float64, used int, err error) {
	const mostIterations = 1e8
	start, err := c.profile(ctx, b, side, 1)
	if err != nil {
		return 0, 0, err
	}
	for n = max(10, n); ; n *= 10 {
		p, err := c.profile(ctx, b, side, n)
		if err != nil {
			return 0, 0, err
		}
		more := float64(p.Total) - float64(start.Total)
		if more >= pilotTarget || n >= mostIterations {
			return more / float64(operationsIn(n)-operationsIn(1)), n, nil
		}
	}
}

// operationsIn is how many operations a process does that is asked for n iterations: the testing
// package runs a benchmark once before it runs it n times, where n is over 1.
func operationsIn(n int) int {
	if n > 1 {
		n++
	}
	return n
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
		if costs[side], starts[side], err = c.count(ctx, b, side); err != nil {
			return err
		}
	}
	for side, one := range costs {
		b.runs[side], b.starts[side] = append(b.runs[side], one), append(b.starts[side], starts[side])
		result := &benchfmt.Result{Config: b.config, Name: benchfmt.Name(b.name), Iters: b.many - b.few,
			Values: []benchfmt.Value{{Value: one.Total, Unit: instructionsUnit}}}
		if err := c.sinks[side].add(result); err != nil {
			return err
		}
	}
	b.Blocks = append(b.Blocks, runOf(measure.OperationInstructions, costs[0].Total, costs[1].Total))
	return nil
}

// runOf is one run of both sides.
func runOf(m judge.Measure, a, b float64) judge.Block {
	return judge.Block{A: judge.Sample{m.Key: a}, B: judge.Sample{m.Key: b}}
}

// count is one run: the instructions of an operation, and those of a process beside its operations.
func (c *counting) count(ctx context.Context, b *counted, side int) (*callgrind.Costs, float64, error) {
	few, err := c.profile(ctx, b, side, b.few)
	if err != nil {
		return nil, 0, err
	}
	many, err := c.profile(ctx, b, side, b.many)
	if err != nil {
		return nil, 0, err
	}
	costs := callgrind.Slope(few, many, uint64(operationsIn(b.many)-operationsIn(b.few)))
	if costs.Total <= 0 {
		return nil, 0, c.failure(side, "benchmark %s of %s executed fewer instructions with %s operations than with %s",
			b.name, b.pkg.path,
			units.Count(uint64(b.many)), units.Count(uint64(b.few))).
			WithHint("it does not do its work b.N times, or its instructions vary more from run to run than the work takes: name more operations, such as --benchtime %dx", 10*b.many)
	}
	return costs, float64(few.Total) - costs.Total*float64(operationsIn(b.few)), nil
}
