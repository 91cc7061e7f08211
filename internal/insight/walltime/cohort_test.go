package walltime

import (
	"math"
	"slices"
	"testing"
)

func TestSpread(t *testing.T) {
	if got, want := slices.Collect(spread(6)), []int{0, 4, 2, 1, 5, 3}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for n := range 40 {
		got := slices.Sorted(spread(n))
		if len(got) != n || n > 0 && (got[0] != 0 || got[n-1] != n-1) {
			t.Errorf("of %d: %v", n, got)
		}
	}
}

// Many requests that all wait for a busy processor would be divided into millions of pieces. Some of them, spread evenly,
// stand for all.
func TestACohortThatWouldTakeTooLong(t *testing.T) {
	const changes, requests = 2_000, 3_000
	h := &history{
		goroutines: []goroutine{
			{spans: []span{{at: 0, state: runnable, waker: none}, {at: changes, state: running}}, serves: true},
			{spans: []span{{at: 0, state: running}}},
			{spans: []span{{at: 0, state: running}}},
		},
		procs: make([][]occupancy, 1), maxProcs: 1, to: changes + requests, stacks: newStacks(),
	}
	for at := range int64(changes) {
		h.procs[0] = append(h.procs[0], occupancy{at: at, by: place(1 + at%2)})
	}
	all, mean := make([]seen, requests), 0.0
	for i := range all {
		s := &all[i]
		s.Sent, s.Answered = int64(i), changes+int64(i)/2
		s.window.by, s.window.start, s.window.end = 0, changes, s.Answered
		mean += float64(latency(s)) / requests
	}
	slices.SortStableFunc(all, func(a, b seen) int { return int(latency(&a) - latency(&b)) })
	l := &labeller{walker: newWalker(h), calls: map[callKey]Call{}}
	c := (&Digest{}).cohort(l, SlowName, all, 0, 100)
	sum := 0.0
	for _, p := range c.Parts {
		sum += p.Nanos
	}
	if c.Requests != requests || math.Abs(sum-c.LatencyNanos) > 1e-6*sum {
		t.Errorf("%d requests, parts of %v of %v ns", c.Requests, sum, c.LatencyNanos)
	}
	if off := math.Abs(c.LatencyNanos/mean - 1); off == 0 || off > 0.005 {
		t.Errorf("latency of those walked %v, of all %v: want a few for all", c.LatencyNanos, mean)
	}
}

// A trace of a service with few requests per second has typical ones, too.
func TestTypicalOfFewRequests(t *testing.T) {
	for _, c := range []struct {
		n        int
		from, to float64
		cohort   int
	}{{5000, 45, 55, 500}, {100, 45, 55, 10}, {52, 40, 60, 12}, {20, 25, 75, 10}, {4, 25, 75, 2}} {
		from, to := typicalBand(c.n)
		if got := len(cut(make([]seen, c.n), from, to)); from != c.from || to != c.to || got != c.cohort {
			t.Errorf("%d requests: p%g to p%g, %d of them, want %+v", c.n, from, to, got, c)
		}
	}
}
