package lab

import (
	"math"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
)

// The clock of short-lived children counts 10 ms, so that a slice of 10 ms shows none of them, or too many. What all of
// them used is in the cost of a request, and in that of each pair.
func TestChildrenAreShared(t *testing.T) {
	const window = 900 * time.Millisecond // of a start, what was used between its slices included
	v := slicesOf(func(s *sample, n int) {
		if n%4 == 3 {
			s.counters.Children = 40 * time.Millisecond
		}
	})
	v.compared = true
	v.shareChildren(0, window)
	want := float64(30*10*time.Millisecond+window) / 3000
	if got := batchOf(v.timed.samples).cpuNanos(); math.Abs(got-want) > 1 {
		t.Errorf("a request costs %v ns, want %v", got, want)
	}
	for _, s := range v.timed.samples {
		if got := s.Sample[measure.CPU.Key]; math.Abs(got-want) > 1 {
			t.Fatalf("in one slice a request costs %v ns, want %v", got, want)
		}
	}
	// A run has no time between slices, and is long: its parts may differ.
	run := slicesOf(func(s *sample, n int) {
		s.counters.Children = 20 * time.Millisecond
		if n >= 20 {
			s.counters.Children = 40 * time.Millisecond
		}
	})
	run.shareChildren(0, time.Hour)
	if got, want := batchOf(run.timed.samples).cpuNanos(), float64(30*10+20*20+10*40)*1e6/3000; math.Abs(got-want) > 1 {
		t.Errorf("a request of a run costs %v ns, want %v", got, want)
	}
	if first, last := run.timed.samples[0].counters.Children,
		run.timed.samples[29].counters.Children; first != 20*time.Millisecond || last != 40*time.Millisecond {
		t.Errorf("children of the first slice %v, of the last %v", first, last)
	}
	// Without any nothing changes, and without an answer nothing is divided.
	silent := slicesOf(func(s *sample, _ int) { s.slice.Answered = 0 })
	silent.compared = true
	silent.shareChildren(0, time.Second)
	if got := silent.timed.samples[0].counters.Children; got != 0 {
		t.Errorf("children of a slice without an answer %v", got)
	}
}
