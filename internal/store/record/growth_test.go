package record

import (
	"testing"

	"github.com/gohone/hone/internal/program/probeclient"
)

// A comparison knows of each start what the program holds before its slices and after them.
func TestGrowthOfStarts(t *testing.T) {
	line := func(starts int, gains func(start int) (goroutines, heap uint64)) *Timeline {
		t := &Timeline{}
		for i := range starts {
			goroutines, heap := gains(i)
			t.Slices = append(t.Slices, Moment{
				Start: i, Requests: 10_000, GoroutinesBefore: 20, HeapLiveBefore: 2 << 20,
				Runtime: probeclient.Runtime{Goroutines: 20 + goroutines, HeapLiveBytes: 2<<20 + heap},
			})
		}
		return t
	}
	leak := func(int) (uint64, uint64) { return 500, 1 << 20 }
	if g := line(8, leak).Growth(); g.Goroutines != 0.05 || g.HeapBytes != float64(1<<20)/10_000 || g.Starts != 8 ||
		g.ToGoroutines != 520 {
		t.Errorf("a leak: %+v", g)
	}
	if g := line(3, leak).Growth(); g.Goroutines != 0 {
		t.Errorf("three starts are taken for evidence: %+v", g)
	}
	if g := line(8, func(start int) (uint64, uint64) { return uint64(start%2) * 500, 0 }).Growth(); g.Goroutines != 0 ||
		g.HeapBytes != 0 {
		t.Errorf("every other start gains: %+v", g)
	}
}

// A heap that rises has few collections, each after it has doubled; one that fills up and stays, or moves up and down,
// does not rise.
func TestARisingHeapIsALine(t *testing.T) {
	line := func(live func(i int) uint64, collected func(i int) bool) (all []Moment) {
		for i := range 60 {
			m := Moment{Requests: 1000, Runtime: probeclient.Runtime{HeapLiveBytes: live(i)}}
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
		"a leak":             {line(func(i int) uint64 { return uint64(1000 * (i + 1) * 1100) }, doubling), 1100},
		"a cache that fills": {line(func(i int) uint64 { return uint64(min(i, 12) * 1_000_000) }, always), 0},
		"up and down":        {line(func(i int) uint64 { return uint64(2<<20 + i%7*300_000) }, always), 0},
		"three collections": {line(func(i int) uint64 { return uint64(1000 * (i + 1) * 1100) },
			func(i int) bool { return i%20 == 0 }), 0},
		"less than one can see": {line(func(i int) uint64 { return uint64(4<<20 + i*500) }, always), 0},
	} {
		rise, _, _ := risingHeap(c.moments)
		if rise.Value < 0.99*c.want || rise.Value > 1.01*c.want {
			t.Errorf("%s: %+v, want %g", name, rise, c.want)
		}
	}
}
