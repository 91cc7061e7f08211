package load

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// moments walks a schedule with all its workers and returns the moments in order of
// workers, and how many there are.
func moments(s Schedule, workers int) (all [][]time.Duration, n int) {
	for w := range workers {
		var mine []time.Duration
		for p := newPacer(s, w, workers); p.ok; p.next() {
			mine = append(mine, p.due)
		}
		all = append(all, mine)
		n += len(mine)
	}
	return all, n
}

func TestAConstantRateIsEvenAndExact(t *testing.T) {
	all, n := moments(OpenLoop(1000, 10*time.Second), 1)
	if n != 10_000 {
		t.Fatalf("%d requests, want 10,000", n)
	}
	for i, at := range all[0] {
		if want := time.Duration(i) * time.Millisecond; (at - want).Abs() > 1 {
			t.Fatalf("request %d is due at %v, want %v", i, at, want)
		}
	}
}

// Workers share the same moments, whatever their number.
func TestWorkersDealOutTheSameSchedule(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := Schedule{}
		for range rapid.IntRange(1, 4).Draw(r, "stages") {
			s.Stages = append(s.Stages, Stage{
				From: rapid.Float64Range(0, 2000).Draw(r, "from"), To: rapid.Float64Range(0, 2000).Draw(r, "to"),
				For: time.Duration(rapid.Int64Range(1, int64(2*time.Second)).Draw(r, "for")),
			})
		}
		s.Requests = rapid.Uint64Range(0, 3000).Draw(r, "requests")
		workers := rapid.IntRange(2, 5).Draw(r, "workers")
		one, n := moments(s, 1)
		many, m := moments(s, workers)
		if n != m {
			r.Fatalf("%d requests by one worker, %d by %d", n, m, workers)
		}
		want := 0.0
		for _, g := range s.Stages {
			want += (g.From + g.To) / 2 * g.For.Seconds()
		}
		if s.Requests > 0 {
			want = min(want, float64(s.Requests))
		}
		if want = math.Floor(want); math.Abs(float64(n)-want) > 1 {
			r.Fatalf("%d requests, expected %v", n, want)
		}
		last := time.Duration(0)
		for i, at := range one[0] {
			if other := many[i%workers][i/workers]; other != at {
				r.Fatalf("request %d is due at %v and at %v", i, at, other)
			}
			if at < last || at >= s.Length() {
				r.Fatalf("request %d is due at %v, behind %v, in a schedule of %v", i, at, last, s.Length())
			}
			last = at
		}
	})
}

// On a ramp the n-th request is due when n requests' worth of rate has gone by.
func TestARampFollowsItsIntegral(t *testing.T) {
	s := Schedule{Stages: []Stage{{From: 100, To: 5000, For: 20 * time.Second},
		{From: 5000, To: 0, For: 3 * time.Second}}}
	all, _ := moments(s, 1)
	for i, at := range all[0] {
		sec := at.Seconds()
		got := 100*sec + 4900*sec*sec/40
		if sec >= 20 {
			d := sec - 20
			got = 51_000 + 5000*d - 5000*d*d/6
		}
		if math.Abs(got-float64(i)) > 1e-3 {
			t.Fatalf("request %d is due at %v, where the integral is %v", i, at, got)
		}
	}
}

// Poisson arrivals, from a fixed seed: the mean and the variance of the gaps are those
// of an exponential, for one worker and for three together.
func TestPoissonGapsAreExponential(t *testing.T) {
	s := OpenLoop(1000, 200*time.Second)
	s.Arrivals, s.Seed = Poisson, 7
	for _, workers := range []int{1, 3} {
		all, n := moments(s, workers)
		// The number in 200 s has mean 200,000 and standard deviation 447.
		if math.Abs(float64(n)-200_000) > 4*447 {
			t.Errorf("%d workers: %d requests, want about 200,000", workers, n)
		}
		var sum, squares float64
		for i := 1; i < len(all[0]); i++ {
			gap := (all[0][i] - all[0][i-1]).Seconds() * 1000 / float64(workers)
			sum += gap
			squares += gap * gap
		}
		count := float64(len(all[0]) - 1)
		mean := sum / count
		if deviation := math.Sqrt(squares/count - mean*mean); math.Abs(mean-1) > 0.02 || math.Abs(deviation-1) > 0.02 {
			t.Errorf("%d workers: gaps have mean %v and deviation %v, want 1 and 1", workers, mean, deviation)
		}
	}
}

func TestAReplayIsDealtOutInTurn(t *testing.T) {
	s := Schedule{Replay: []time.Duration{0, 5, 5, 9, 20}}
	all, _ := moments(s, 2)
	if len(all[0]) != 3 || all[0][2] != 20 || len(all[1]) != 2 || all[1][1] != 9 {
		t.Errorf("dealt out as %v", all)
	}
	if got := newPacer(s, 0, 1).backlog(9); got != 3 {
		t.Errorf("%d due before 9, want 3", got)
	}
}
