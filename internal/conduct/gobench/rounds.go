package gobench

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/conduct/conductor"
	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// rounds samples the benchmarks until all are settled, and takes their profiles.
func (m *measurement) rounds(ctx context.Context) error {
	budget := m.task.budgetFor(len(m.benches))
	m.result.Started, m.result.Budget, m.result.Stopped = time.Now(), budget, benchmarks.StoppedFailed
	m.referee = m.newReferee()
	m.blockTime = m.task.blockTime(budget, len(m.benches))
	m.task.Progress.Phase("measure "+units.Plural(len(m.benches), "benchmark"), budget)
	m.gauge = machine.OpenGauge()
	defer m.gauge.Close()
	return conductor.Conduct(ctx, m.referee.Pace, m)
}

// Sample is a round: it samples each benchmark that is not settled, the one with the widest interval first.
func (m *measurement) Sample(ctx context.Context, round int) (took time.Duration, err error) {
	if err := m.readySeconds(ctx); err != nil {
		return 0, err
	}
	began := time.Now()
	defer func() { m.result.Elapsed = m.referee.Elapsed() }()
	for _, b := range m.todo() {
		if err := m.sample(ctx, b); err != nil && !m.loseBench(b, err) {
			if ctx.Err() != nil {
				m.result.Stopped = benchmarks.StoppedInterrupted
			}
			return 0, err
		}
		m.task.Progress.Tick(progress.Tick{Done: m.referee.Elapsed(), Total: m.result.Budget, NoLoad: true,
			Note: fmt.Sprintf("round %d, %d of %d settled", round+1, m.settledCount(), len(m.benches))})
	}
	m.result.Rounds++
	took = time.Since(began)
	if round == 0 {
		m.warnOfBudget(took)
	}
	return took, nil
}

// Finish takes the profiles after the last round, and asks what a faster B does less of.
func (m *measurement) Finish(ctx context.Context, last bool) error {
	if !last {
		return nil
	}
	if err := m.profileAll(ctx); err != nil {
		return err
	}
	return m.checkFaster(ctx)
}

// todo are the benchmarks of a round. Those whose interval is far wider than that of most
// others are in it twice: an interval shrinks by the square root of the blocks only.
func (m *measurement) todo() []*bench {
	var todo []*bench
	for _, b := range m.benches {
		if !b.Done() && !m.referee.Waits(&b.Contender) {
			todo = append(todo, b)
		}
	}
	width := func(b *bench) float64 { return m.referee.Width(&b.Contender) }
	m.rng.Shuffle(len(todo), func(i, j int) { todo[i], todo[j] = todo[j], todo[i] })
	slices.SortStableFunc(todo, func(a, b *bench) int { return cmp.Compare(width(b), width(a)) })
	middle := math.Inf(1)
	if len(todo) > 0 {
		middle = width(todo[len(todo)/2])
	}
	var wide []*bench
	for _, b := range todo {
		if width(b) > 2*middle {
			wide = append(wide, b)
		}
	}
	return append(wide, todo...)
}

func (m *measurement) settledCount() (n int) {
	for _, b := range m.benches {
		if b.Done() {
			n++
		}
	}
	return n
}

// sample takes what one round takes of a benchmark: a block of turns, or pairs of processes,
// for about as long as the blocks of others.
func (m *measurement) sample(ctx context.Context, b *bench) error {
	if b.how == benchmarks.ByTurns {
		return m.block(ctx, b)
	}
	turns := slices.ContainsFunc(m.benches, func(b *bench) bool { return b.how == benchmarks.ByTurns })
	for began := time.Now(); ; {
		block, err := m.watched(func() (judge.Block, error) { return m.pair(ctx, b, b.n, b.draw(m.rng)) })
		if err != nil {
			return err
		}
		b.Blocks = append(b.Blocks, block)
		if !turns || m.task.Count > 0 || time.Since(began) > m.blockTime {
			return nil
		}
	}
}

// pair runs a benchmark once on each side, each in a process of its own, in random order.
func (m *measurement) pair(ctx context.Context, b *bench, n, layout int) (judge.Block, error) {
	samples, accounts := [2]judge.Sample{}, [2]account{}
	first := m.rng.IntN(2)
	for _, side := range []int{first, 1 - first} {
		result, e, err := m.measure(ctx, b, binaryOf{side, layout}, strconv.Itoa(n)+"x")
		if err != nil {
			return judge.Block{}, err
		}
		if b.how == benchmarks.ByProcesses {
			accounts[side] = accountOf(result, e)
			if err := m.addCPU(ctx, b, binaryOf{side, layout}, result, e.CPU); err != nil {
				return judge.Block{}, err
			}
		}
		var found []string
		samples[side], found = benchtext.SampleOf(result)
		b.noteUnits(found)
		if result.Config = b.config; b.how != benchmarks.ByProcesses {
			continue // its turns are in the file
		}
		if err := m.sinks[side].add(result); err != nil {
			return judge.Block{}, err
		}
	}
	if b.how == benchmarks.ByProcesses {
		b.accounts = append(b.accounts, accounts)
	}
	return judge.Block{Pairs: []judge.Pair{{A: samples[0], B: samples[1]}}, Layout: layout}, nil
}

// noteUnits notes the measures of the units that a benchmark reports.
func (b *bench) noteUnits(units []string) {
	for _, unit := range units {
		if m := measure.OfUnit(unit); !slices.Contains(b.Measures, m) {
			b.Measures = append(b.Measures, m)
		}
	}
}

// addCPU adds the CPU time of the process to its result, less that of a start by itself. The start is measured for each
// process: measured once for each side, its error would be a difference that never varies. The testing package runs a
// benchmark once before it runs it n times, where n is over 1.
func (m *measurement) addCPU(ctx context.Context, b *bench, of binaryOf, r *benchfmt.Result,
	used time.Duration) error {
	if !b.cpu {
		return nil
	}
	start, err := m.run(ctx, b.pkg, execution{binaryOf: of, pattern: noBenchmark, procs: b.procs, length: "1x"})
	if err != nil {
		return err
	}
	operations := float64(r.Iters)
	if r.Iters > 1 {
		operations++
	}
	if net := used - start.CPU; net > 0 {
		benchtext.InsertCPU(r, float64(net)/operations)
	}
	return nil
}

// warnOfBudget says after the first round if the budget cannot hold as many as a verdict takes.
func (m *measurement) warnOfBudget(latest time.Duration) {
	pace := m.referee.Pace
	fewest := pace.Next()
	needs := time.Duration(fewest) * latest
	switch {
	case pace.Most > 0 && pace.Most < fewest:
		m.task.Progress.Warn(fmt.Sprintf("%d rounds cannot show a difference: with %s it takes at least %d (--count %d)",
			pace.Most, units.Plural(len(m.benches), "benchmark"), fewest, fewest))
	case pace.Budget > 0 && needs > pace.Budget:
		needs = time.Duration(float64(needs) * float64(m.result.Budget) / float64(pace.Budget))
		m.task.Progress.Warn(fmt.Sprintf("a round takes %s and a verdict on %s at least %d rounds: choose some (--bench) "+
			"or give it time (--budget %s)",
			units.Seconds(latest), units.Plural(len(m.benches), "benchmark"), fewest,
			needs.Round(time.Minute)+time.Minute))
	}
}
