package lab

import (
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/judge"
)

// The growth of a start is counted per request. A change within chance is 0. A figure that was not read has no value.
func TestWhatAStartKeeps(t *testing.T) {
	before := held{heap: 4 << 20, goroutines: 20, descriptors: 12, known: true}
	for name, c := range map[string]struct {
		after                         held
		heap, goroutines, descriptors float64
	}{
		"a leak of each":   {held{heap: 14 << 20, goroutines: 10_020, descriptors: 5012, known: true}, 1048.576, 1, 0.5},
		"nothing":          {before, 0, 0, 0},
		"chance":           {held{heap: 4<<20 + 60_000, goroutines: 23, descriptors: 15, known: true}, 0, 0, 0},
		"less than before": {held{heap: 3 << 20, goroutines: 10, descriptors: 9, known: true}, 0, 0, 0},
	} {
		values := judge.Sample{}
		before.growth(c.after, 10_000, values)
		got := [3]float64{values[measure.HeapGrowth.Key], values[measure.GoroutineGrowth.Key], values[measure.DescriptorGrowth.Key]}
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

// A heap that rises has few collections, each after it has doubled; one that fills up and stays, or moves up and down, does not rise.
func TestARisingHeapIsALine(t *testing.T) {
	line := func(live func(i int) uint64, collected func(i int) bool) (all []Moment) {
		for i := range 60 {
			m := Moment{Requests: 1000, Runtime: subject.Runtime{HeapLiveBytes: live(i)}}
			if collected(i) {
				m.GCCycles = 1
			}
			all = append(all, m)
		}
		return all
	}
	always := func(int) bool { return true }
	doubling := func(i int) bool { return i == 3 || i == 7 || i == 15 || i == 31 || i == 59 }
	for name, c := range map[string]struct {
		moments []Moment
		want    float64 // bytes per request, 0 for none
	}{
		"a leak":                {line(func(i int) uint64 { return uint64(1000 * (i + 1) * 1100) }, doubling), 1100},
		"a cache that fills":    {line(func(i int) uint64 { return uint64(min(i, 12) * 1_000_000) }, always), 0},
		"up and down":           {line(func(i int) uint64 { return uint64(2<<20 + i%7*300_000) }, always), 0},
		"three collections":     {line(func(i int) uint64 { return uint64(1000 * (i + 1) * 1100) }, func(i int) bool { return i%20 == 0 }), 0},
		"less than one can see": {line(func(i int) uint64 { return uint64(4<<20 + i*500) }, always), 0},
	} {
		rise, _, _ := risingHeap(c.moments)
		if rise.Value < 0.99*c.want || rise.Value > 1.01*c.want {
			t.Errorf("%s: %+v, want %g", name, rise, c.want)
		}
	}
}
