package gobench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// live starts the test binary of a side, in a layout, ready for turns of a benchmark that begin on a CPU (see cpuEnv).
func (m *measurement) live(ctx context.Context, b *bench, layout, side, cpu int) (*liveProcess, error) {
	name := plainName(b.name, b.procs)
	function, _, _ := strings.Cut("Benchmark"+name, "/")
	args := m.flags(Exactly(name), b.procs, "1x", "-test.run=^"+b.pkg.turns[side].testOf[function]+"$", "-test.timeout=0")
	binary, err := b.pkg.binary(layout, side).copied()
	if err != nil {
		return nil, err
	}
	return binary.live(ctx, m.task.Timeout, cpu, args...)
}

// block starts both processes of a benchmark, lets them take turns, and stops them. If they
// do not answer, the benchmark goes on with a process for each sample.
func (m *measurement) block(ctx context.Context, b *bench) error {
	layout := b.draw(m.rng)
	var files [2][]*benchfmt.Result
	var accounts [2]account
	block, err := m.watched(func() (block judge.Block, err error) {
		block, files, accounts, err = m.turnPairs(ctx, b, layout)
		return block, err
	})
	if errors.Is(err, errTurn) {
		return m.giveUpTurns(ctx, b, err)
	}
	if err != nil {
		return err
	}
	block.Layout = layout
	b.Blocks, b.accounts = append(b.Blocks, block), append(b.accounts, accounts)
	for side, results := range files {
		if err := m.sinks[side].add(middle(results, b.config)); err != nil {
			return err
		}
	}
	if len(b.singles) < singlePairs {
		single, err := m.pair(ctx, b, b.single, layout)
		if err != nil {
			return err
		}
		b.singles = append(b.singles, single)
	}
	return nil
}

// turnPairs takes the pairs of a block, and returns all results of its turns by side, and the accounts of both sides, too.
func (m *measurement) turnPairs(ctx context.Context, b *bench, layout int) (block judge.Block, results [2][]*benchfmt.Result, accounts [2]account, err error) {
	var both [2]*liveProcess
	defer func() {
		for _, l := range both {
			if l != nil {
				l.kill()
			}
		}
	}()
	name := plainName(b.name, b.procs)
	cpu := m.rng.IntN(mostCPUs)
	for _, side := range m.rng.Perm(2) {
		if both[side], err = m.live(ctx, b, layout, side, cpu); err != nil {
			return block, results, accounts, err
		}
	}
	for side, l := range both { // the first turn of a process is cold, and not counted
		t, err := l.take(ctx, name, b.n)
		if err != nil {
			return block, results, accounts, err
		}
		accounts[side].addTurn(t)
	}
	for began := time.Now(); len(block.Pairs) < fewestPairs || time.Since(began) < m.blockFor(b); {
		first := m.rng.IntN(2)
		var samples [2]judge.Sample
		for _, side := range []int{first, 1 - first} {
			t, err := both[side].take(ctx, name, b.n)
			if err != nil {
				return block, results, accounts, err
			}
			accounts[side].addTurn(t)
			b.addTurnCPU(t)
			var found []string
			samples[side], found = sampleOf(t.result)
			b.noteUnits(found)
			results[side] = append(results[side], t.result)
		}
		block.Pairs = append(block.Pairs, judge.Pair{A: samples[0], B: samples[1]})
	}
	for side, l := range both {
		both[side] = nil
		if err := l.stop(ctx); err != nil {
			return block, results, accounts, err
		}
		accounts[side].end(l.used)
	}
	return block, results, accounts, nil
}

// blockFor is how long the turns of a block of a benchmark take: at least as long as
// starting both processes does, as far as the budget has room for the blocks of a verdict.
func (m *measurement) blockFor(b *bench) time.Duration {
	if m.result.Budget == 0 || m.task.Block > 0 {
		return m.blockTime
	}
	room := m.result.Budget / time.Duration(blocksWanted/2*len(m.benches))
	return max(m.blockTime, min(b.start, room))
}

// fewestPairs are the least that tell how the pairs of a block scatter.
const fewestPairs = 3

// giveUpTurns goes on with a process for each sample. The blocks so far are not mixed with
// those to come.
func (m *measurement) giveUpTurns(ctx context.Context, b *bench, why error) error {
	b.why, _, _ = strings.Cut(why.Error(), "\n")
	b.Restart()
	b.accounts, b.singles, b.used, b.ready = nil, nil, nil, false
	return m.calibrateProcesses(ctx, b)
}

// addTurnCPU adds the CPU time of a turn to its result, less what a turn costs beside its
// operations: preparations, and the collections that the testing package forces.
func (b *bench) addTurnCPU(t turn) {
	if net := t.cpu - b.base; b.cpu && t.hasCPU && net > 0 {
		insertCPU(t.result, float64(net)/float64(t.result.Iters))
	}
}

// middle is one result for all turns of a block: the median of each value.
func middle(results []*benchfmt.Result, config []benchfmt.Config) *benchfmt.Result {
	out := results[0].Clone()
	out.Config, out.Iters = config, 0
	for _, r := range results {
		out.Iters += r.Iters
	}
	for i, v := range out.Values {
		var values, printed []float64
		for _, r := range results {
			at := slices.IndexFunc(r.Values, func(o benchfmt.Value) bool { return o.Unit == v.Unit })
			if at >= 0 {
				values, printed = append(values, r.Values[at].Value), append(printed, r.Values[at].OrigValue)
			}
		}
		// There is one value at least, that of the first result.
		out.Values[i].Value, _ = stats.Median(values)
		out.Values[i].OrigValue, _ = stats.Median(printed)
	}
	return out
}

// cost is what turns of one side cost, measured while they are tried.
type cost struct {
	op      float64       // ns of an operation in a long turn
	fixed   float64       // ns of the timed part that do not depend on the number of operations
	base    turn          // with baseOperations: the least of the wall time
	collect float64       // ns of a collection
	between float64       // ns of timed work between two collections; +Inf without
	fastest float64       // most operations that were tried
	start   time.Duration // of the process, to its first answer
}

// baseOperations is the smallest number for which a turn is like any other: for 1 the
// testing package runs a benchmark once, for more it runs it twice.
const baseOperations = 2

// calibrateTurns finds how many operations a turn has, by trying the benchmark in a living
// process of each side. why is the reason if it cannot take turns.
func (m *measurement) calibrateTurns(ctx context.Context, b *bench) (why string, err error) {
	var costs [2]cost
	for side := range costs {
		costs[side], err = m.tryTurns(ctx, b, side)
		if errors.Is(err, errTurn) {
			why, _, _ = strings.Cut(err.Error(), "\n")
			return why, nil
		}
		if err != nil {
			return "", err
		}
	}
	b.start = costs[0].start + costs[1].start
	length := [2]float64{costs[0].op, costs[1].op}
	iterations := min(costs[0].fastest, costs[1].fastest)
	var timed time.Duration
	if timed, b.timed, why = turnTime(costs, m.task.BenchTime); why != "" {
		return why, nil
	}
	b.how, b.n = benchmarks.ByTurns, operations(length, iterations, float64(timed))
	b.single = operations(length, iterations, float64(shortProcess))
	if err := m.tryCPU(ctx, b); errors.Is(err, errTurn) {
		why, _, _ = strings.Cut(err.Error(), "\n")
		return why, nil
	} else if err != nil {
		return "", err
	}
	return "", nil
}

// tryCPU finds what a turn costs in CPU time beside its operations: that of a quarter of the
// operations, and of all, say it. A turn of next to no operations would not: it ends before
// the collections that were forced have done all their work in the background. It is one number for both
// sides, so that its error is none of their difference.
func (m *measurement) tryCPU(ctx context.Context, b *bench) error {
	quarter := b.n / 4
	b.base, b.cpu = 0, true
	if quarter < baseOperations { // of so few operations, each is far longer than what is beside them
		return nil
	}
	var bases []float64
	var whole float64
	for side := range b.once {
		l, err := m.live(ctx, b, 0, side, 0)
		if err != nil {
			return err
		}
		defer l.kill() // nothing is left of it by then, unless a turn fails
		for range tries {
			few, err := l.take(ctx, plainName(b.name, b.procs), quarter)
			if err != nil {
				return err
			}
			all, err := l.take(ctx, plainName(b.name, b.procs), b.n)
			if err != nil {
				return err
			}
			share := float64(quarter) / float64(b.n)
			bases = append(bases, (float64(few.cpu)-share*float64(all.cpu))/(1-share))
			whole = max(whole, float64(all.cpu))
		}
		if err := l.stop(ctx); err != nil {
			return err
		}
	}
	b.base = time.Duration(max(0, median(bases)))
	b.cpu = float64(b.base) < whole/2
	return nil
}

const (
	// fixedShare is the part of a turn's timed part that may be preparations.
	fixedShare = 0.02
	// collectionsInTurn is how many collections a turn should hold where they take a share of
	// the time that counts: of turns with one and turns with none, the middle shows nothing of
	// the collector.
	collectionsInTurn = 1.5
)

// turnTime chooses the timed part of a turn: asked, or as short as the costs of both sides
// allow. If even a long turn is too short, why says so, and process is what a process should
// take at least.
func turnTime(costs [2]cost, asked time.Duration) (timed, process time.Duration, why string) {
	want := float64(shortTurn)
	for _, c := range costs {
		beside := float64(c.base.wall) - baseOperations*c.op
		switch {
		case c.op > float64(longTurn):
			return 0, 0, fmt.Sprintf("one operation takes %v", rounded(c.op))
		case beside > float64(longTurn):
			return 0, bounded(beside), fmt.Sprintf("the preparations of a turn take %v", rounded(beside))
		case c.fixed > fixedShare*10*float64(longTurn):
			return 0, bounded(c.fixed / fixedShare), fmt.Sprintf("preparations that are timed take %v", rounded(c.fixed))
		}
		want = max(want, beside, c.fixed/fixedShare)
		if !math.IsInf(c.between, 1) && c.collect > fixedShare*c.between {
			want = max(want, collectionsInTurn*c.between)
		}
	}
	if asked > 0 {
		return asked, 0, ""
	}
	return min(longTurn, time.Duration(want)), 0, ""
}

func rounded(ns float64) time.Duration { return time.Duration(ns).Round(time.Millisecond) }

// bounded is a length for a process.
func bounded(ns float64) time.Duration { return min(longProcess, time.Duration(ns)) }

// tries is how often a short turn is tried. Of times the least counts: other programs add
// far more to a turn of microseconds than it takes.
const tries = 5

// tryTurns measures what turns of one side cost.
func (m *measurement) tryTurns(ctx context.Context, b *bench, side int) (c cost, err error) {
	began := time.Now()
	l, err := m.live(ctx, b, 0, side, 0)
	if err != nil {
		return c, err
	}
	defer l.kill()
	name := plainName(b.name, b.procs)
	if _, err := l.take(ctx, name, baseOperations); err != nil { // cold
		return c, err
	}
	c.start = time.Since(began)
	var one, wall []float64
	for range tries {
		t, err := l.take(ctx, name, 1)
		if err != nil {
			return c, err
		}
		one = append(one, t.timed(0))
	}
	forced := 0
	for i := range tries + 1 {
		before := forced
		if c.base, err = l.take(ctx, name, baseOperations); err != nil {
			return c, err
		}
		if forced = c.base.collections; i > 0 {
			wall = append(wall, float64(c.base.wall))
			c.base.collections = forced - before
		}
	}
	c.base.wall = time.Duration(slices.Min(wall))
	if err := c.grow(ctx, l, name, slices.Min(one), forced); err != nil {
		return c, err
	}
	collected, err := l.collect(ctx, name)
	if err != nil {
		return c, err
	}
	c.collect = float64(collected)
	return c, l.stop(ctx) // TestMain cleans up
}

// grow tries ever more operations, up to a long turn.
func (c *cost) grow(ctx context.Context, l *liveProcess, name string, one float64, collections int) error {
	timed, n := one, 1.0
	for timed < 0.7*float64(longTurn) && n < mostOperations {
		n = math.Floor(min(mostOperations, 100*n, max(n+1, n*float64(longTurn)/max(1, timed))))
		t, err := l.take(ctx, name, int(n))
		if err != nil {
			return err
		}
		timed = t.timed(c.base.wall)
		c.between = math.Inf(1)
		if own := t.collections - collections - c.base.collections; own > 0 {
			c.between = timed / float64(own)
		}
		collections = t.collections
	}
	if n == 1 {
		c.between = math.Inf(1)
	}
	c.op, c.fastest = timed/n, n
	// The first operation after a collection may well take twice as long as later ones.
	c.fixed = max(0, one-2*c.op)
	if c.fixed < fixedShare*float64(shortTurn) {
		c.fixed = 0
	}
	return nil
}

// mostOperations is the most that the testing package does by itself.
const mostOperations = 1e9

// timed is the timed part of a turn in ns; where the benchmark hides it, what it took beyond
// base.
func (t turn) timed(base time.Duration) float64 {
	if ns := nanos(t.result); ns > 0 {
		return ns * float64(t.result.Iters)
	}
	return float64(max(0, t.wall-base))
}

// median is the median of x, which must not be empty.
func median(x []float64) float64 {
	m, _ := stats.Median(x) // fails for an empty x only
	return m
}
