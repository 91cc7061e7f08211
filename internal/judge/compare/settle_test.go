package compare

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// served are blocks of a program whose requests cost B 10 % more CPU time, and take factor times as long.
func served(n int, factor float64) []Block {
	rng := rand.New(rand.NewPCG(18, 7))
	blocks := shifted(n, 1.1)
	for i := range blocks {
		for j := range blocks[i].Pairs {
			p := &blocks[i].Pairs[j]
			p.A[Throughput.Key], p.B[Throughput.Key] = 1000, 1000
			p.LatencyA, p.LatencyB = latencies(rng, 400, 60), latencies(rng, 400, 60*factor)
		}
	}
	return blocks
}

// Under an open loop a comparison goes on when CPU time is decided: until latency is, too, at a look at percentiles, or until
// the end of the budget. CPU time differs, which takes seven blocks more to confirm, within the budget.
func TestAnOpenLoopWaitsForLatency(t *testing.T) {
	const budget = 40 * time.Second
	for _, c := range []struct {
		name        string
		beside      []Measure
		factor      float64
		from, until time.Duration
		stopped     string
	}{
		{"a closed loop", nil, 1, 6 * time.Second, budget / 2, StoppedDecided},
		{"slower", OfOpenLoop, 1.5, budget/2 + 7*time.Second, budget/2 + 12*time.Second, StoppedDecided},
		{"the same", OfOpenLoop[:2], 1, budget/2 + 7*time.Second, budget/2 + 12*time.Second, StoppedDecided},
		{"an interval that stays wide", []Measure{percentile("p99.9", 0.999)}, 1, budget - 4*time.Second, budget, StoppedConfirmed},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := question(2, budget)
				q.Beside = c.beside
				f := play(t, q, served(42, c.factor))
				if f.Stopped != c.stopped || f.Elapsed() < c.from || f.Elapsed() > c.until {
					t.Errorf("%s after %v, want %s from %v to %v", f.Stopped, f.Elapsed(), c.stopped, c.from, c.until)
				}
				if v := f.Contest(0).Verdict; v.Word != Slower || v.Starts > 12 {
					t.Errorf("the verdict on CPU time: %+v", v)
				}
			})
		})
	}
}

// A difference, or none beyond 5 %, settles a measure; a wide interval does not.
func TestWhatSettlesAMeasure(t *testing.T) {
	for _, c := range []struct {
		v    Verdict
		want bool
	}{
		{Verdict{Word: Slower}, true},
		{Verdict{Word: Undecided, Delta: 0.01, EquivalenceLow: 0.96, EquivalenceHigh: 1.04}, true},
		{Verdict{Word: Undecided, Delta: 0.01, EquivalenceLow: 0.96, EquivalenceHigh: 1.06}, false},
		{Verdict{Word: Undecided, Delta: 0.01, EquivalenceLow: 0.95, EquivalenceHigh: 1.04}, false},
		{Verdict{Word: Undecided, Delta: 0.1, EquivalenceLow: 0.95, EquivalenceHigh: 1.06}, true},
	} {
		if got := endsMeasure(c.v); got != c.want {
			t.Errorf("%+v: %v", c.v, got)
		}
	}
}
