package gobench

import (
	"math"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// Ratios of B to A of ten pairs, 3 % more or less.
func gainRatios(ratio float64) (all []float64) {
	for i := range 10 {
		all = append(all, math.Log(ratio*(1+0.03*float64(i%3-1))))
	}
	return all
}

// What a benchmark gains in turns has to be there in single processes, and without hone's variables and names. What
// single processes lack anyway is no sign that B sees hone.
func TestAGainHasToBeThereWithoutHone(t *testing.T) {
	for _, c := range []struct {
		name                   string
		turns, singles, plains float64
		want                   string
	}{
		{"honest", 0.25, 0.25, 0.26, ""},
		{"honest, and less with a cold cache", 0.25, 0.4, 0.4, ""},
		{"a small gain", 0.97, 0.97, 0.965, ""},
		{"fast in turns only", 0.25, 1, 1, benchmarks.CaveatTurns},
		{"fast for hone only", 0.25, 0.25, 1, benchmarks.CaveatSeen},
		{"mostly for hone", 0.25, 0.25, 0.7, benchmarks.CaveatSeen},
		{"fast in single processes, too, but for hone only", 0.25, 0.4, 0.98, benchmarks.CaveatSeen},
	} {
		v := judge.Verdict{Ratio: c.turns}
		single, plain := partOf(gainRatios(c.singles)), partOf(gainRatios(c.plains))
		got := append(turnsCaveat(v, single), seenCaveat(v, single, plain)...)
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%s: %+v", c.name, got)
		case c.want != "" && (len(got) != 1 || got[0].Name != c.want || !got[0].Open):
			t.Errorf("%s: %+v, want %s", c.name, got, c.want)
		}
		if few := seenCaveat(v, nil, partOf(gainRatios(c.plains)[:5])); few != nil {
			t.Errorf("%s: five pairs show %+v", c.name, few)
		}
	}
	busy := &bench{sampling: sampling{single: 1000, n: 7}}
	if n := busy.plainOperations(); n != 1000 {
		t.Errorf("%d operations of a plain process", n)
	}
	busy.singles = []judge.Block{{Pairs: []judge.Pair{{A: judge.Sample{measure.OperationTime.Key: 1e6}}}}}
	if n := busy.plainOperations(); n != 50 {
		t.Errorf("%d operations where one takes a millisecond", n)
	}
	pair := judge.Pair{A: judge.Sample{measure.OperationTime.Key: 200}, B: judge.Sample{measure.OperationTime.Key: 100}}
	if got := ratiosOf([]judge.Block{{Pairs: []judge.Pair{pair, {}}}}); len(got) != 1 || got[0] != math.Log(0.5) {
		t.Errorf("the ratios of a pair: %v", got)
	}
}

// Plain processes go on while it is open whether a gain is there, within four times their time, and not for a small gain.
func TestPlainProcessesGoOnWhileAGainIsOpen(t *testing.T) {
	const limit = time.Second
	count := func(each time.Duration, open bool) (n int) {
		for anotherPair(n, time.Duration(n)*each, limit, func() bool { return open }) {
			n++
		}
		return n
	}
	for _, c := range []struct {
		each time.Duration
		open bool
		want int
	}{
		{10 * time.Millisecond, false, 12}, {10 * time.Millisecond, true, 48}, {100 * time.Millisecond, false, 11},
		{100 * time.Millisecond, true, 40}, {time.Second, true, 6}, {2 * time.Second, true, 1},
	} {
		if n := count(c.each, c.open); n != c.want {
			t.Errorf("%v each, open %v: %d pairs, want %d", c.each, c.open, n, c.want)
		}
	}
	wide := []float64{math.Log(0.2), math.Log(1.5), math.Log(0.3), math.Log(1.2), math.Log(0.25), math.Log(1.4)}
	if !gainOpen(wide, 0.25) || gainOpen(wide, 0.95) || gainOpen(gainRatios(0.26), 0.25) || gainOpen(gainRatios(1), 0.25) {
		t.Error("what is open is not what neither shows a gain nor that it is gone")
	}
}

// What B writes less takes the verdict: records, or their fsync. The same bytes in fewer calls do not, nor do those that
// a process writes once.
func TestABenchmarkThatWritesLess(t *testing.T) {
	of := func(bytes, stored, once float64) account {
		const n = 10_000
		return account{operations: n, written: process.Written{Bytes: uint64(n*bytes + once), Stored: uint64(n * stored),
			Known: true}}
	}
	few := func(bytes float64) account {
		return account{operations: 2, results: 1, written: process.Written{Bytes: uint64(2 * bytes), Known: true}}
	}
	for _, c := range []struct {
		name string
		a, b account
		want bool
	}{
		{"as much", of(100, 120, 500), of(100, 120, 500), false},
		{"the same in fewer writes", of(100, 120, 500), of(100, 100, 500), false},
		{"nothing to write", of(0, 0, 5000), of(0, 0, 400), false},
		{"no records", of(100, 120, 500), of(0, 0, 500), true},
		{"nine records of ten", of(100, 120, 500), of(90, 110, 500), true},
		{"no fsync", of(100, 4200, 500), of(100, 120, 500), true},
		{"to nowhere", of(100, 100, 500), of(100, 0, 500), true},
		{"shorter results of few operations", few(110), few(85), false},
		{"more", of(100, 120, 500), of(200, 240, 500), false},
	} {
		var blocks [][2]account
		for range 6 {
			blocks = append(blocks, [2]account{c.a, c.b})
		}
		got := lessCaveats(judge.Verdict{Ratio: 0.5}, blocks)
		if (len(got) > 0) != c.want || len(got) > 1 || c.want && !got[0].Open {
			t.Errorf("%s: %+v", c.name, got)
		}
		blocks[3][0].written.Known = false
		if got := lessCaveats(judge.Verdict{Ratio: 0.5}, blocks); got != nil {
			t.Errorf("%s, where it is not known: %+v", c.name, got)
		}
	}
}
