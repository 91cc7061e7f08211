package lab

import (
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// The growth of a start is counted per request. A change within chance is 0. A figure that was not read has no value.
func TestWhatAStartKeeps(t *testing.T) {
	before := held{heap: 4 << 20, goroutines: 20, descriptors: 12, known: true}
	for name, c := range map[string]struct {
		after                         held
		heap, goroutines, descriptors float64
	}{
		"a leak of each": {held{heap: 14 << 20, goroutines: 10_020, descriptors: 5012, known: true}, 1048.576, 1,
			0.5},
		"nothing":          {before, 0, 0, 0},
		"chance":           {held{heap: 4<<20 + 60_000, goroutines: 23, descriptors: 15, known: true}, 0, 0, 0},
		"less than before": {held{heap: 3 << 20, goroutines: 10, descriptors: 9, known: true}, 0, 0, 0},
	} {
		values := judge.Sample{}
		before.growth(c.after, 10_000, values)
		got := [3]float64{values[measure.HeapGrowth.Key], values[measure.GoroutineGrowth.Key],
			values[measure.DescriptorGrowth.Key]}
		if want := [3]float64{c.heap, c.goroutines, c.descriptors}; got != want || len(values) != 3 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for name, unknown := range map[string]func(judge.Sample){
		"the probe cannot collect": func(v judge.Sample) { before.growth(held{heap: 1 << 30}, 10_000, v) },
		"no request":               func(v judge.Sample) { before.growth(held{heap: 1 << 30, known: true}, 0, v) },
	} {
		values := judge.Sample{}
		if unknown(values); len(values) > 0 {
			t.Errorf("%s: %v", name, values)
		}
	}
}
