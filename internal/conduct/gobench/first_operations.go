package gobench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// A benchmark repeats one operation. A side that keeps the answer of the first one, or finds all answers at its start,
// is faster in every later one, and no user may ever ask for the same again. So where the gain is large
// (compare.LargeGain), fresh processes of both sides do one operation each.

const (
	// firstPairs is how many processes of each side do one operation, at most.
	firstPairs = 10
	// firstShare says how much of the budget they may take: one part in firstShare. Without a budget it is firstTime.
	firstShare, firstTime = 10, 3 * time.Second
	// coldShare is how large what a first operation costs more than a later one may be, as a part of what B saves: a
	// cold cache costs both sides some microseconds, and hides a gain of less.
	coldShare = 0.5
)

// firsts are processes of both sides that did one operation each: its time, in ns, and the CPU time of processes of
// both sides that did none.
type firsts struct {
	times  [2][]float64
	starts [2][]float64
}

// checkFirst adds the caveats of a large gain that is not in the first operation, or that a start pays for.
func (m *measurement) checkFirst(ctx context.Context, b *bench, v judge.Verdict) error {
	if v.High >= compare.LargeGain || m.task.Iterations == 1 { // one operation is what it compared
		return nil
	}
	m.task.Progress.Phase("first operations of "+b.name, 0)
	f, err := m.firstOf(ctx, b)
	if err != nil {
		if m.loseBench(b, err) {
			return nil
		}
		return err
	}
	for _, c := range f.caveats(v) {
		if c.Name == benchmarks.CaveatFirst {
			if err := m.checkOther(ctx, b, &c); err != nil {
				return err
			}
		}
		b.caveats = append(b.caveats, c)
	}
	return nil
}

// firstOf runs the processes of a benchmark, in random order.
func (m *measurement) firstOf(ctx context.Context, b *bench) (f firsts, err error) {
	end := time.Now().Add(m.checkTime(firstTime))
	for i := 0; i < firstPairs && (i == 0 || time.Now().Before(end)); i++ {
		for _, side := range m.rng.Perm(2) {
			r, _, err := m.measure(ctx, b, binaryOf{side: side}, "1x")
			if err != nil {
				return f, err
			}
			e, err := m.run(ctx, b.pkg, execution{binaryOf: binaryOf{side: side},
				pattern: benchtext.Exactly("HoneNone"), procs: b.procs, length: "1x"})
			if err != nil {
				return f, err
			}
			f.times[side] = append(f.times[side], benchtext.Nanos(r))
			f.starts[side] = append(f.starts[side], float64(e.CPU+e.Left))
		}
	}
	return f, nil
}

// checkTime is the time that the check of one verdict may take.
func (m *measurement) checkTime(without time.Duration) time.Duration {
	if m.result.Budget > 0 {
		return m.result.Budget / time.Duration(firstShare*max(1, len(m.benches)))
	}
	return without
}

// caveats says that the gain of a verdict on time is not there in first operations, or that B's start got longer.
func (f firsts) caveats(v judge.Verdict) (caveats []record.Caveat) {
	saved := v.A * (1 - v.Ratio)
	first := [2]float64{benchtext.Median(f.times[0]), benchtext.Median(f.times[1])}
	if cold := first[0] - v.A; cold < coldShare*saved && mostlyOver(f.times[1], v.B+max(0, cold)+saved/2) {
		caveats = append(caveats, record.Caveat{Name: benchmarks.CaveatFirst, Text: fmt.Sprintf("the first operation of a "+
			"process takes %s on A and %s on B (n=%d), so the gain is in later ones: B keeps something from one operation to "+
			"the next, such as an answer or a buffer. The benchmark repeats itself; does its user?",
			units.Nanos(first[0]), units.Nanos(first[1]), len(f.times[0]))})
	}
	start := [2]float64{benchtext.Median(f.starts[0]), benchtext.Median(f.starts[1])}
	more := start[1] - start[0]
	if len(f.starts[0]) >= fewestPairs && slices.Min(f.starts[1]) > slices.Max(f.starts[0]) &&
		more > longerStart*start[0] && more > startOperations*saved {
		caveats = append(caveats, record.Caveat{Name: benchmarks.CaveatStart, Text: fmt.Sprintf("a start of B without any "+
			"operation takes %s of CPU time and one of A %s, which %s operations win back: init or TestMain may do what A "+
			"does in the loop", units.Nanos(start[1]), units.Nanos(start[0]), units.Digits(more/saved))})
	}
	return caveats
}

const (
	// longerStart is how much longer, as a part, a start has to be to be worth a word: starts of one binary differ by a
	// tenth.
	longerStart = 0.3
	// startOperations is how many operations have to win back what the start costs more.
	startOperations = 10
)

// mostlyOver says that the middle of some values is over a bound, at 95 %.
func mostlyOver(values []float64, bound float64) bool {
	e, err := stats.HodgesLehmann(values, 0.95)
	return err == nil && e.Bounded() && e.Low > bound
}
