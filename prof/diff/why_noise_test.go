package diff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/capturetest"
)

// service simulates a program with a collector, by ticks for each second. Each start of it
// has costs of its own, and the collector works in bursts.
type service struct {
	places  int
	starts  bool    // each capture is of a start of its own
	scatter float64 // of a place's cost between starts
	burst   float64 // ticks of one collection; 0 for none
}

// captures draws n captures of that many seconds.
func (s service) captures(rng *rand.Rand, n int, seconds float64) []prof.Capture {
	var all []prof.Capture
	own := make([]float64, s.places)
	for c := range n {
		if s.starts || c == 0 {
			for i := range own {
				own[i] = 1 + s.scatter*rng.NormFloat64()
			}
		}
		b := proftest.BuildCPU()
		for i, f := range own {
			// The costs of places fall as in real profiles, where the first has a tenth.
			mean := seconds * 10 / math.Sqrt(float64(1+i)) * max(0, f)
			if ticks := proftest.Poisson(rng, mean); ticks > 0 {
				b.Ticks(ticks, fmt.Sprintf("main.f%02d@/s/f.go:%d < main.serve%d < main.main", i, i+1, i%4))
			}
		}
		if s.burst > 0 {
			for range proftest.Poisson(rng, seconds) { // a collection a second
				b.Ticks(proftest.Poisson(rng, s.burst), "runtime.scanObject < runtime.gcBgMarkWorker")
			}
		}
		capture := capturetest.CPU(b, 1000)
		if s.starts {
			capture.Start = c + 1
		}
		all = append(all, capture)
	}
	return all
}

// A program compared with itself gives a line in 5 % of comparisons at most: with one long
// capture, with several of one start, with one of each start; also where starts differ and
// where the collector works in bursts. The seed is fixed; 300 comparisons of 5 % have a
// standard deviation of 1.3 %.
func TestWhySaysNothingOfEquals(t *testing.T) {
	const rounds = 300
	for name, c := range map[string]struct {
		service
		n       int
		seconds float64
	}{
		"one capture":                      {service{places: 40}, 1, 5},
		"one capture, starts differ":       {service{places: 40, scatter: 0.01}, 1, 5},
		"five captures of one start":       {service{places: 40, scatter: 0.01}, 5, 1},
		"five captures, collector":         {service{places: 40, burst: 20}, 5, 1},
		"five starts":                      {service{places: 40, scatter: 0.05, starts: true}, 5, 1},
		"five starts, collector":           {service{places: 40, scatter: 0.05, burst: 20, starts: true}, 5, 1},
		"five long starts, collector":      {service{places: 40, scatter: 0.05, burst: 20, starts: true}, 5, 5},
		"few places, all of them the same": {service{places: 3}, 5, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(8, 8))
			lines := 0
			for range rounds {
				// The verdict is as noisy as that of a comparison.
				whole := Whole{A: 1e6, B: 1e6 * (1 + 0.01*rng.NormFloat64()), StdErr: 0.01e6}
				e, err := Why(c.captures(rng, c.n, c.seconds), c.captures(rng, c.n, c.seconds), whole, true,
					WhyOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if len(e.Changes) > 0 {
					lines++
				}
			}
			share := float64(lines) / rounds
			t.Logf("a line in %.1f %% of comparisons", 100*share)
			if share > 0.05+2*0.0126 {
				t.Errorf("a line in %.1f %% of comparisons of a program with itself", 100*share)
			}
		})
	}
}

// What was planted is found: a place that costs a third more, 3 % of the whole.
func TestWhyFindsWhatChanged(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	s := service{places: 40, scatter: 0.02, burst: 20, starts: true}
	found, others := 0, 0
	const rounds = 60
	for range rounds {
		a, b := s.captures(rng, 5, 5), s.captures(rng, 5, 5)
		for i := range b {
			extra := capturetest.CPU(proftest.BuildCPU().Ticks(proftest.Poisson(rng, 5*5), "main.f00@/s/f.go:1 < main.serve0 < main.main"), 1000)
			merged, err := prof.MergeCaptures([]prof.Capture{b[i], extra})
			if err != nil {
				t.Fatal(err)
			}
			merged.Start = b[i].Start
			b[i] = merged
		}
		e, err := Why(a, b, Whole{A: 1e6, B: 1.04e6, StdErr: 0.003e6}, false, WhyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range e.Changes {
			if c.Function == "main.f00" || c.Function == "main.serve0" {
				found++
			} else {
				others++
			}
		}
	}
	t.Logf("found in %d of %d, with %d others", found, rounds, others)
	if found < rounds/2 || others > rounds/10 {
		t.Errorf("found in %d of %d, with %d others", found, rounds, others)
	}
}
