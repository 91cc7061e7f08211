package gobench

import (
	"context"
	"errors"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/turns"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// live starts a test binary, ready for turns of a benchmark that begin on a CPU (see turns.Environ).
func (m *measurement) live(ctx context.Context, b *bench, of binaryOf, cpu int) (*turns.Process, error) {
	args := m.flags(execution{pattern: b.pattern(), procs: b.procs, length: "1x",
		more: []string{"-test.run=^" + b.pkg.turns[of.side].TestOf[b.function()] + "$", "-test.timeout=0"}})
	binary, err := b.pkg.binary(of).Copied()
	if err != nil {
		return nil, err
	}
	return turns.Start(ctx, binary, m.task.Timeout, cpu, args...)
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
	if errors.Is(err, turns.ErrNoAnswer) {
		return m.giveUpTurns(ctx, b, err)
	}
	if err != nil {
		return err
	}
	block.Layout = layout
	b.Blocks, b.accounts = append(b.Blocks, block), append(b.accounts, accounts)
	for side, results := range files {
		if err := m.sinks[side].add(benchtext.Middle(results, b.config)); err != nil {
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

// turnPairs takes the pairs of a block, and returns all results of its turns by side, and the accounts of both sides,
// too.
func (m *measurement) turnPairs(ctx context.Context, b *bench, layout int) (block judge.Block,
	results [2][]*benchfmt.Result, accounts [2]account, err error) {
	var both [2]*turns.Process
	defer func() {
		for _, l := range both {
			if l != nil {
				l.Kill()
			}
		}
	}()
	name := b.plainName()
	cpu := m.rng.IntN(turns.MostCPUs)
	for _, side := range m.rng.Perm(2) {
		if both[side], err = m.live(ctx, b, binaryOf{side, layout}, cpu); err != nil {
			return block, results, accounts, err
		}
	}
	for side, l := range both { // the first turn of a process is cold, and not counted
		t, err := l.Take(ctx, name, b.n)
		if err != nil {
			return block, results, accounts, err
		}
		accounts[side].addTurn(t)
	}
	for began := time.Now(); len(block.Pairs) < fewestPairs || time.Since(began) < m.blockFor(b); {
		first := m.rng.IntN(2)
		var samples [2]judge.Sample
		for _, side := range []int{first, 1 - first} {
			t, err := both[side].Take(ctx, name, b.n)
			if err != nil {
				return block, results, accounts, err
			}
			accounts[side].addTurn(t)
			b.addTurnCPU(t)
			var found []string
			samples[side], found = benchtext.SampleOf(t.Result)
			b.noteUnits(found)
			results[side] = append(results[side], t.Result)
		}
		block.Pairs = append(block.Pairs, judge.Pair{A: samples[0], B: samples[1]})
	}
	for side, l := range both {
		both[side] = nil
		if err := l.Stop(ctx); err != nil {
			return block, results, accounts, err
		}
		cpu, written := l.Used()
		accounts[side].end(cpu)
		accounts[side].written = written
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
func (b *bench) addTurnCPU(t turns.Turn) {
	if net := t.CPU - b.base; b.cpu && t.HasCPU && net > 0 {
		benchtext.InsertCPU(t.Result, float64(net)/float64(t.Result.Iters))
	}
}

// calibrateTurns finds how many operations a turn has, by trying the benchmark in a living
// process of each side. why is the reason if it cannot take turns.
func (m *measurement) calibrateTurns(ctx context.Context, b *bench) (why string, err error) {
	var costs [2]turns.Cost
	for side := range costs {
		costs[side], err = m.tryTurns(ctx, b, side)
		if errors.Is(err, turns.ErrNoAnswer) {
			why, _, _ = strings.Cut(err.Error(), "\n")
			return why, nil
		}
		if err != nil {
			return "", err
		}
	}
	b.start = costs[0].Start + costs[1].Start
	length := [2]float64{costs[0].Op, costs[1].Op}
	iterations := min(costs[0].Fastest, costs[1].Fastest)
	var timed time.Duration
	if timed, b.timed, why = turns.Length(costs, m.task.BenchTime); why != "" {
		return why, nil
	}
	b.how, b.n = benchmarks.ByTurns, operations(length, iterations, float64(timed))
	b.single = operations(length, iterations, float64(turns.ShortProcess))
	if err := m.tryCPU(ctx, b); errors.Is(err, turns.ErrNoAnswer) {
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
	if quarter < turns.BaseOperations { // of so few operations, each is far longer than what is beside them
		return nil
	}
	var bases []float64
	var whole float64
	for side := range b.once {
		l, err := m.live(ctx, b, binaryOf{side: side}, 0)
		if err != nil {
			return err
		}
		defer l.Kill() // nothing is left of it by then, unless a turn fails
		for range turns.Tries {
			few, err := l.Take(ctx, b.plainName(), quarter)
			if err != nil {
				return err
			}
			all, err := l.Take(ctx, b.plainName(), b.n)
			if err != nil {
				return err
			}
			share := float64(quarter) / float64(b.n)
			bases = append(bases, (float64(few.CPU)-share*float64(all.CPU))/(1-share))
			whole = max(whole, float64(all.CPU))
		}
		if err := l.Stop(ctx); err != nil {
			return err
		}
	}
	b.base = time.Duration(max(0, benchtext.Median(bases)))
	b.cpu = float64(b.base) < whole/2
	return nil
}

// tryTurns measures what turns of one side cost.
func (m *measurement) tryTurns(ctx context.Context, b *bench, side int) (turns.Cost, error) {
	began := time.Now()
	l, err := m.live(ctx, b, binaryOf{side: side}, 0)
	if err != nil {
		return turns.Cost{}, err
	}
	defer l.Kill()
	return turns.CostOf(ctx, l, b.plainName(), began)
}
