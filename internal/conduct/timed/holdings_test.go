package timed

import (
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// The growth of a start is counted per request. A change within chance is 0. A figure that was not read has no value.
func TestWhatAStartKeeps(t *testing.T) {
	before := Holdings{Heap: 4 << 20, Goroutines: 20, Descriptors: 12, Known: true}
	for name, c := range map[string]struct {
		after                         Holdings
		heap, goroutines, descriptors float64
	}{
		"a leak of each": {Holdings{Heap: 14 << 20, Goroutines: 10_020, Descriptors: 5012, Known: true}, 1048.576, 1,
			0.5},
		"nothing":          {before, 0, 0, 0},
		"chance":           {Holdings{Heap: 4<<20 + 60_000, Goroutines: 23, Descriptors: 15, Known: true}, 0, 0, 0},
		"less than before": {Holdings{Heap: 3 << 20, Goroutines: 10, Descriptors: 9, Known: true}, 0, 0, 0},
	} {
		values := judge.Sample{}
		before.Growth(c.after, 10_000, values)
		got := [3]float64{values[measure.HeapGrowth.Key], values[measure.GoroutineGrowth.Key],
			values[measure.DescriptorGrowth.Key]}
		if want := [3]float64{c.heap, c.goroutines, c.descriptors}; got != want || len(values) != 3 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for name, unknown := range map[string]func(judge.Sample){
		"the probe cannot collect": func(v judge.Sample) { before.Growth(Holdings{Heap: 1 << 30}, 10_000, v) },
		"no request":               func(v judge.Sample) { before.Growth(Holdings{Heap: 1 << 30, Known: true}, 0, v) },
	} {
		values := judge.Sample{}
		if unknown(values); len(values) > 0 {
			t.Errorf("%s: %v", name, values)
		}
	}
}
