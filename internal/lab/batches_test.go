package lab

import (
	"math"
	"testing"
	"time"

	"github.com/gohone/hone/internal/subject"
	"github.com/gohone/hone/load"
)

// slowRun is a run of 10 s in slices of 250 ms of a program that takes 60 ms of its only
// CPU for each request: 4 or 5 whole answers come in each.
func slowRun() *loaded {
	const cost, slice = 60 * time.Millisecond, 250 * time.Millisecond
	v := &loaded{}
	for i := range 40 {
		from, to := time.Duration(i)*slice, time.Duration(i+1)*slice
		s := sample{slice: load.Slice{Duration: slice}, counters: subject.Counters{CPU: slice}}
		s.slice.Answered = uint64(to/cost - from/cost)
		v.samples = append(v.samples, s)
	}
	return v
}

func TestFewAnswersInEachSliceAreCountedTogether(t *testing.T) {
	one := slowRun()
	if rate := batchOf(one.samples).rate(); rate > 1/0.06 || rate < 16.5 {
		t.Errorf("%.2f answers/s, want 16.6: one CPU allows 16.67", rate)
	}
	i := one.cpuInterval()
	if i == nil || math.Abs(i.Value-60e6) > 1e6 || i.Conf == 0 || i.Low > 60e6 || i.High < 60e6 {
		t.Fatalf("CPU per request %+v, want 60 ms with an interval around it", i)
	}
	if n := len(one.batches()); n != 8 {
		t.Errorf("%d batches, want 8", n)
	}
	// The live rate is no quotient of whole answers in one slice either.
	if rate := one.lately().rate(); rate > 1.02/0.06 {
		t.Errorf("%.2f answers/s lately", rate)
	}
	// A slice of a comparison has all that its answers took, and stands for itself.
	one.compared = true
	if n := len(one.batches()); n != 40 {
		t.Errorf("%d batches of a comparison, want 40", n)
	}
}

func TestPercentilesOfFewAnswersAreNotStored(t *testing.T) {
	r := Record{Latency: &Latency{Count: 40, P50: 1, P90: 2, P99: 3, P999: 3, Max: 3}}
	var names []string
	for _, m := range r.measures() {
		names = append(names, m.Name)
	}
	if got := len(names); got != 3 || names[0] != "rate" || names[1] != "p50" || names[2] != "p90" {
		t.Errorf("stored %q", names)
	}
}
