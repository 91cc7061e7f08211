package lab

import (
	"testing"

	"github.com/gohone/hone/internal/program/subject"
)

// A comparison knows of each start what the program holds before its slices and after them.
func TestGrowthOfStarts(t *testing.T) {
	line := func(starts int, gains func(start int) (goroutines, heap uint64)) *Timeline {
		t := &Timeline{}
		for i := range starts {
			goroutines, heap := gains(i)
			t.Slices = append(t.Slices, Moment{
				Start: i, Requests: 10_000, GoroutinesBefore: 20, HeapLiveBefore: 2 << 20,
				Runtime: subject.Runtime{Goroutines: 20 + goroutines, HeapLiveBytes: 2<<20 + heap},
			})
		}
		return t
	}
	leak := func(int) (uint64, uint64) { return 500, 1 << 20 }
	if g := line(8, leak).growth(); g.Goroutines != 0.05 || g.HeapBytes != float64(1<<20)/10_000 || g.Starts != 8 || g.ToGoroutines != 520 {
		t.Errorf("a leak: %+v", g)
	}
	if g := line(3, leak).growth(); g.Goroutines != 0 {
		t.Errorf("three starts are taken for evidence: %+v", g)
	}
	if g := line(8, func(start int) (uint64, uint64) { return uint64(start%2) * 500, 0 }).growth(); g.Goroutines != 0 || g.HeapBytes != 0 {
		t.Errorf("every other start gains: %+v", g)
	}
}
