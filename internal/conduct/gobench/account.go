package gobench

import (
	"fmt"
	"math"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/conduct/gobench/turns"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/text/vitals"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// A benchmark's time is what it takes between b.ResetTimer and its last operation. What a side does elsewhere is not in
// it: in init and TestMain, before the timer and after it, in goroutines that go on after the loop, in child processes.
// So each block accounts for the whole life of both processes.

// account is the life of the process of one side of a block.
type account struct {
	timed time.Duration // the sum of what the benchmark timed
	// beside is what the process did that was not timed: the wall time of its turns without what they timed, and the
	// CPU time before, between and after them, children's with it. Of a process for each sample it is its wall time
	// without what was timed.
	beside time.Duration
	// whole is the CPU time from exec to exit, with that of children that were waited for, or that were left at the
	// end.
	whole time.Duration
	// operations are those of all turns, or of the process, with the first of each; written is of its whole life.
	operations int
	results    int // lines that it printed
	written    process.Written
	settings   turns.Settings // of the latest turn
	lost       bool           // a turn without its CPU time: nothing can be said of what is outside of the turns
}

// addTurn adds a turn that is not the whole life of its process: beside then still lacks what is outside of the turns.
func (a *account) addTurn(t turns.Turn) {
	timed := timedOf(t.Result)
	a.timed, a.lost = a.timed+timed, a.lost || !t.HasCPU
	a.operations += t.Result.Iters + 1
	a.results++
	a.beside += t.Wall - withFirst(timed, t.Result.Iters) - t.CPU
	if a.settings = t.Settings; t.HeapGoal >= vitals.NoHeapGoal { // it may have been set since the first turn
		a.settings.GOGC = -1
	}
}

// end adds the whole life of the process of turns.
func (a *account) end(whole time.Duration) {
	a.whole = whole
	a.beside += whole
}

// accountOf is the account of a process for one sample.
func accountOf(r *benchfmt.Result, e process.Ending) account {
	timed := timedOf(r)
	return account{timed: timed, beside: e.Wall - withFirst(timed, r.Iters), whole: e.CPU + e.Left,
		operations: r.Iters + 1, results: 1, written: e.Written}
}

// timedOf is what the benchmark timed; 0 where it hides that.
func timedOf(r *benchfmt.Result) time.Duration {
	return time.Duration(benchtext.Nanos(r) * float64(r.Iters))
}

// withFirst is the time of n operations with the one that the testing package runs before them, where n is over 1.
func withFirst(timed time.Duration, n int) time.Duration {
	if n > 1 {
		timed += timed / time.Duration(n)
	}
	return timed
}

const (
	// accountConf is the confidence of what accounts show.
	accountConf = 0.99
	// movedShare is the part of the gain that has to stand elsewhere to take the verdict, and besideShare the part from
	// which on it is said.
	movedShare, besideShare = 0.25, 0.05
	// leastMovedInTurns and leastMovedInProcesses are parts of A's time under which work elsewhere is that of any
	// start: a program that imports one more package starts some milliseconds later. A process is far shorter than a
	// block of turns.
	leastMovedInTurns, leastMovedInProcesses = 0.03, 0.15
)

// accountCaveats says where the time that a faster B saves went to, as far as accounts show it beyond their scatter.
func accountCaveats(how benchmarks.Sampling, v judge.Verdict, blocks [][2]account) []record.Caveat {
	moved, whole, ok := accounted(blocks)
	if !ok {
		return nil
	}
	least := leastMovedInTurns
	if how == benchmarks.ByProcesses {
		least = leastMovedInProcesses
	}
	time, gain := "time per operation "+units.Percent(v.Ratio-1), 1-v.Ratio
	span := units.Span(math.Expm1(whole.Low), math.Expm1(whole.High))
	switch {
	case whole.Low > math.Log1p(v.Delta):
		return []record.Caveat{{Name: benchmarks.CaveatCPU, Open: true, Text: fmt.Sprintf("%s, but CPU time from exec to "+
			"exit %s (%s) with as many operations: B works more than A, elsewhere or on more CPUs",
			time, units.Percent(math.Expm1(whole.Value)), span)}}
	case moved.Low > max(least, movedShare*gain):
		return []record.Caveat{{Name: benchmarks.CaveatMoved, Open: true, Text: fmt.Sprintf("%s, but what is not timed "+
			"grew by %s %% of A's time, and CPU time from exec to exit is %s (%s): B does outside of the timed part what A "+
			"does in it: in init or TestMain, before or after the loop, or in child processes",
			time, units.Digits(100*moved.Value), units.Percent(math.Expm1(whole.Value)), span)}}
	case moved.Low > max(least, besideShare*gain):
		return []record.Caveat{{Name: benchmarks.CaveatMoved, Text: fmt.Sprintf("%s, but what is not timed grew by %s %% "+
			"of A's time: in init or TestMain, before or after the loop, or in child processes",
			time, units.Digits(100*moved.Value))}}
	}
	return nil
}

// accounted estimates, over the blocks, by how much more B does besides what is timed, as a part of what A timed, and
// the logarithm of B's CPU time from exec to exit over A's. ok is false where a block lacks a figure, or blocks are too
// few.
func accounted(blocks [][2]account) (moved, whole stats.Estimate, ok bool) {
	var more, ratios []float64
	for _, b := range blocks {
		if b[0].lost || b[1].lost || b[0].timed <= 0 || b[1].timed <= 0 || b[0].whole <= 0 || b[1].whole <= 0 {
			return moved, whole, false
		}
		more = append(more, float64(b[1].beside-b[0].beside)/float64(b[0].timed))
		ratios = append(ratios, math.Log(float64(b[1].whole)/float64(b[0].whole)))
	}
	moved, err1 := stats.HodgesLehmann(more, accountConf)
	whole, err2 := stats.HodgesLehmann(ratios, accountConf)
	return moved, whole, err1 == nil && err2 == nil && moved.Bounded() && whole.Bounded()
}
