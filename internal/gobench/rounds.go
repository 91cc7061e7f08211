package gobench

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/progress"
	"github.com/gohone/hone/internal/units"
)

// rounds runs every benchmark that is not settled once on each side, again and again,
// and looks at the verdicts from time to time.
func (m *measurement) rounds(ctx context.Context) error {
	budget := m.request.budgetFor(len(m.benches))
	pace := compare.NewPace(budget, m.request.Count, compare.FewestBlocks(m.request.options().Alpha/float64(len(m.benches))))
	m.result.Started, m.result.Budget = time.Now(), budget
	m.request.Progress.Phase(fmt.Sprintf("measure %d benchmark(s) in rounds, a process on each side", len(m.benches)), budget)
	m.result.Stopped = StoppedFailed
	defer func() { m.result.Elapsed = pace.Elapsed() }()
	for {
		began := time.Now()
		if err := m.round(ctx, pace); err != nil {
			if ctx.Err() != nil {
				m.result.Stopped = StoppedInterrupted
			}
			return err
		}
		m.result.Rounds++
		latest := time.Since(began)
		if m.result.Rounds == 1 {
			m.warnOfBudget(pace, latest)
		}
		if !pace.Due(m.result.Rounds, latest) {
			continue
		}
		stopped, err := m.look(pace, latest)
		if err != nil || stopped != "" {
			m.result.Stopped = stopped
			return err
		}
	}
}

// round runs each benchmark that is not settled once on each side, in random order, the
// two processes of a benchmark one right after the other.
func (m *measurement) round(ctx context.Context, pace *compare.Pace) error {
	var todo []*bench
	for _, b := range m.benches {
		if !b.done {
			todo = append(todo, b)
		}
	}
	m.rng.Shuffle(len(todo), func(i, j int) { todo[i], todo[j] = todo[j], todo[i] })
	for _, b := range todo {
		if err := m.pair(ctx, b); err != nil && !m.loseBench(b, err) {
			return err
		}
		m.request.Progress.Tick(progress.Tick{Done: pace.Elapsed(), Total: pace.Budget,
			Note: fmt.Sprintf("round %d, %s of %s settled", m.result.Rounds+1, units.Count(uint64(len(m.benches)-len(todo))), units.Count(uint64(len(m.benches))))})
	}
	return nil
}

// pair runs a benchmark once on each side, in random order. A pair that is not complete
// leaves no block.
func (m *measurement) pair(ctx context.Context, b *bench) error {
	var samples [2]compare.Sample
	first := m.rng.IntN(2)
	for _, side := range []int{first, 1 - first} {
		result, e, err := m.measure(ctx, b, side, strconv.Itoa(b.n)+"x")
		if err != nil {
			return err
		}
		m.addCPU(b, side, result, e)
		var found []string
		samples[side], found = sampleOf(result)
		for _, unit := range found {
			if !slices.Contains(b.units, unit) {
				b.units = append(b.units, unit)
			}
		}
		result.Config = b.config
		if err := m.sinks[side].add(result); err != nil {
			return err
		}
	}
	b.blocks = append(b.blocks, compare.Block{A: samples[0], B: samples[1]})
	return nil
}

// addCPU adds the CPU time of the process to its result, after the time. The testing
// package runs a benchmark once before it runs it n times, where n is over 1.
func (m *measurement) addCPU(b *bench, side int, r *benchfmt.Result, e ending) {
	net := e.cpu - m.empty[emptyKey{b.pkg, side, b.procs}]
	if !b.cpu || net <= 0 {
		return
	}
	operations := float64(r.Iters)
	if r.Iters > 1 {
		operations++
	}
	ns := float64(net) / operations
	r.Values = slices.Insert(r.Values, min(1, len(r.Values)), benchfmt.Value{Value: ns / 1e9, Unit: "cpu-sec/op", OrigValue: ns, OrigUnit: cpuUnit})
}

// warnOfBudget says after the first round if the budget cannot hold as many as a verdict takes.
func (m *measurement) warnOfBudget(pace *compare.Pace, latest time.Duration) {
	fewest := pace.Next()
	needs := time.Duration(fewest) * latest
	switch {
	case pace.Most > 0 && pace.Most < fewest:
		m.request.Progress.Warn(fmt.Sprintf("%d rounds cannot show a difference: with %d benchmark(s) it takes at least %d (--count %d)",
			pace.Most, len(m.benches), fewest, fewest))
	case pace.Budget > 0 && needs > pace.Budget:
		m.request.Progress.Warn(fmt.Sprintf("a round takes %s and a verdict on %d benchmark(s) at least %d rounds: choose some (--bench) or give it time (--budget %s)",
			units.Seconds(latest), len(m.benches), fewest, needs.Round(time.Minute)+time.Minute))
	}
}
