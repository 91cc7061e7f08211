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
	clock := &pace{began: time.Now(), budget: m.request.budgetFor(len(m.benches)), count: m.request.Count}
	clock.next = compare.FewestBlocks(m.request.options().Alpha / float64(len(m.benches)))
	m.result.Started, m.result.Budget = clock.began, clock.budget
	m.request.Progress.Phase(fmt.Sprintf("measure %d benchmark(s) in rounds, a process on each side", len(m.benches)), clock.budget)
	m.result.Stopped = StoppedFailed
	defer func() { m.result.Elapsed, m.result.Rounds = time.Since(clock.began), clock.rounds }()
	for {
		if err := m.round(ctx, clock); err != nil {
			if ctx.Err() != nil {
				m.result.Stopped = StoppedInterrupted
			}
			return err
		}
		m.warnOnce(clock)
		if !clock.due() {
			continue
		}
		stopped, err := m.look(clock)
		if err != nil || stopped != "" {
			m.result.Stopped = stopped
			return err
		}
	}
}

// pace says when to look and when to end.
type pace struct {
	began   time.Time
	budget  time.Duration // 0: none
	count   int           // 0: none
	rounds  int
	latest  time.Duration // of the latest round
	looking time.Duration // what the latest look took
	looked  time.Time
	next    int // round of the next look
	looks   []compare.Look
}

// last says that there is no room for another round. A tenth over is better than an
// eleventh of the budget unused.
func (p *pace) last() bool {
	return p.count > 0 && p.rounds >= p.count ||
		p.budget > 0 && time.Since(p.began)+p.latest > p.budget+p.latest/10
}

// due says whether it is time for a look: with enough new rounds, and looks taking less
// than a twentieth of the time.
func (p *pace) due() bool {
	return p.last() || p.rounds >= p.next && time.Since(p.looked) > 20*p.looking
}

// look is the entry of a look now.
func (p *pace) look() compare.Look {
	used := 0.0
	if p.budget > 0 {
		used = float64(time.Since(p.began)) / float64(p.budget)
	}
	if p.count > 0 {
		used = max(used, float64(p.rounds)/float64(p.count))
	}
	if p.last() {
		used = 1
	}
	return compare.Look{Blocks: p.rounds, Used: min(1, used)}
}

// round runs each benchmark that is not settled once on each side, in random order, the
// two processes of a benchmark one right after the other.
func (m *measurement) round(ctx context.Context, clock *pace) error {
	began := time.Now()
	var todo []*bench
	for _, b := range m.benches {
		if !b.done {
			todo = append(todo, b)
		}
	}
	m.rng.Shuffle(len(todo), func(i, j int) { todo[i], todo[j] = todo[j], todo[i] })
	for _, b := range todo {
		if err := m.pair(ctx, b); err != nil {
			return err
		}
		m.request.Progress.Tick(progress.Tick{Done: time.Since(clock.began), Total: clock.budget,
			Note: fmt.Sprintf("round %d, %s of %s settled", clock.rounds+1, units.Count(uint64(len(m.benches)-len(todo))), units.Count(uint64(len(m.benches))))})
	}
	clock.rounds++
	clock.latest = time.Since(began)
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

// addCPU adds the CPU time of the process to its result, behind the time. The testing
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

// warnOnce says after the first round if the budget cannot hold as many as a verdict takes.
func (m *measurement) warnOnce(clock *pace) {
	fewest := clock.next
	needs := time.Duration(fewest) * clock.latest
	switch {
	case clock.rounds != 1:
	case clock.count > 0 && clock.count < fewest:
		m.request.Progress.Warn(fmt.Sprintf("%d rounds cannot show a difference: with %d benchmark(s) it takes at least %d (--count %d)",
			clock.count, len(m.benches), fewest, fewest))
	case clock.budget > 0 && needs > clock.budget:
		m.request.Progress.Warn(fmt.Sprintf("a round takes %s and a verdict on %d benchmark(s) at least %d rounds: choose some (--bench) or give it time (--budget %s)",
			units.Seconds(clock.latest), len(m.benches), fewest, needs.Round(time.Minute)+time.Minute))
	}
}
