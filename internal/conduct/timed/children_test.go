package timed

import (
	"math"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/load"
)

// The clock of short-lived children counts 10 ms, so that a slice of 10 ms shows none of them, or too many. What all of
// them used is in the cost of a request, and in that of each pair.
func TestChildrenAreShared(t *testing.T) {
	const window = 900 * time.Millisecond // of a start, what was used between its slices included
	v := thirtySlices(func(s *Sample, n int) {
		if n%4 == 3 {
			s.Counters.Children = 40 * time.Millisecond
		}
	})
	v.Compared = true
	v.ShareChildren(0, window)
	want := float64(30*10*time.Millisecond+window) / 3000
	if got := BatchOf(v.Samples).cpuNanos(); math.Abs(got-want) > 1 {
		t.Errorf("a request costs %v ns, want %v", got, want)
	}
	for _, s := range v.Samples {
		if got := s.Sample[measure.CPU.Key]; math.Abs(got-want) > 1 {
			t.Fatalf("in one slice a request costs %v ns, want %v", got, want)
		}
	}
	// A run has no time between slices, and is long: its parts may differ.
	run := thirtySlices(func(s *Sample, n int) {
		s.Counters.Children = 20 * time.Millisecond
		if n >= 20 {
			s.Counters.Children = 40 * time.Millisecond
		}
	})
	run.ShareChildren(0, time.Hour)
	if got, want := BatchOf(run.Samples).cpuNanos(), float64(30*10+20*20+10*40)*1e6/3000; math.Abs(got-want) > 1 {
		t.Errorf("a request of a run costs %v ns, want %v", got, want)
	}
	if first, last := run.Samples[0].Counters.Children,
		run.Samples[29].Counters.Children; first != 20*time.Millisecond || last != 40*time.Millisecond {
		t.Errorf("children of the first slice %v, of the last %v", first, last)
	}
	// Without any nothing changes, and without an answer nothing is divided.
	silent := thirtySlices(func(s *Sample, _ int) { s.Loaded.Answered = 0 })
	silent.Compared = true
	silent.ShareChildren(0, time.Second)
	if got := silent.Samples[0].Counters.Children; got != 0 {
		t.Errorf("children of a slice without an answer %v", got)
	}
}

// thirtySlices are slices of 100 answers of 100 us each, and what change makes of that.
func thirtySlices(change func(s *Sample, n int)) *Load {
	t := &Load{}
	for n := range 30 {
		s := Sample{
			Slice:    compare.Slice{Place: compare.Place{Block: n / 5, Round: n % 5}},
			Loaded:   load.Slice{Duration: 25 * time.Millisecond, Counts: load.Counts{Answered: 100}},
			Counters: usage.Counters{CPU: 10 * time.Millisecond},
		}
		change(&s, n)
		t.Samples = append(t.Samples, s)
	}
	return t
}
