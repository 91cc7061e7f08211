package gobench

import (
	"testing"

	"github.com/gohone/hone/judge"
)

func blocksOf(m judge.Measure, a, b []float64) []judge.Block {
	var blocks []judge.Block
	for i := range a {
		blocks = append(blocks, judge.Block{Pairs: []judge.Pair{{A: judge.Sample{m.Key: a[i]},
			B: judge.Sample{m.Key: b[i]}}}})
	}
	return blocks
}

func TestUnitsKnowTheirDirection(t *testing.T) {
	for unit, want := range map[string]judge.Direction{
		"ns/op": judge.Lower, "B/op": judge.Lower, "allocs/op": judge.Lower, cpuUnit: judge.Lower,
		"MB/s": judge.Higher, "frames/s": judge.Higher, "p99-ns": judge.Lower, "misses/op": judge.Lower,
	} {
		if got := measureOf(unit).Better; got != want {
			t.Errorf("%s: better is %s, want %s", unit, got, want)
		}
	}
}
