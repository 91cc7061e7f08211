package diff

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/capturetest"
)

// simulated draws the samples of starts of a program in which a function has that share, and each
// start its own, which varies by that fraction of it.
func simulated(rng *rand.Rand, starts, samples int, share, between float64) []startCount {
	var all []startCount
	for range starts {
		own := min(0.99, max(0, share*(1+between*rng.NormFloat64())))
		c := startCount{all: float64(samples)}
		for range samples {
			if rng.Float64() < own {
				c.of++
			}
		}
		all = append(all, c)
	}
	return all
}

// Of 1,500 comparisons with a known ratio, intervals of 95 % hold it in at least 93 %, with few
// samples and with many, and with starts that differ by more than drawing does. An interval that
// took all samples for independent would not, which is tested, too.
func TestFunctionIntervalsCover(t *testing.T) {
	const trials = 1500
	rng := rand.New(rand.NewPCG(7, 11))
	for _, c := range []struct {
		name            string
		starts, samples int
		share, between  float64
		ratio           float64
	}{
		{"few samples", 6, 40, 0.05, 0, 1},
		{"many samples", 6, 400, 0.2, 0, 1.1},
		{"half of the program", 5, 100, 0.5, 0, 0.9},
		{"starts that differ", 6, 400, 0.2, 0.15, 1.05},
		{"many starts that differ", 20, 200, 0.1, 0.3, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			covered, naive := 0, 0
			for range trials {
				a := simulated(rng, c.starts, c.samples, c.share, c.between)
				b := simulated(rng, c.starts, c.samples, c.share*c.ratio, c.between)
				r, err := shareRatio(a, b, 0.05, Whole{A: 1, B: 1})
				if errors.Is(err, ErrNoSample) {
					continue
				}
				truth := math.Log(c.ratio)
				if r.Low <= truth && truth <= r.High {
					covered++
				}
				_, varA := logShare(sumOfStarts(a))
				_, varB := logShare(sumOfStarts(b))
				if math.Abs(r.LogRatio-truth) <= normal95*math.Sqrt(varA+varB) {
					naive++
				}
			}
			if share := float64(covered) / trials; share < 0.93 {
				t.Errorf("%.1f %% of the intervals hold the ratio, want 95", 100*share)
			}
			if share := float64(naive) / trials; c.between >= 0.15 && share > 0.92 {
				t.Errorf("starts that differ are no test: without dispersion %.1f %% hold it", 100*share)
			}
		})
	}
}

func TestFunctionsOfOneSideOnly(t *testing.T) {
	a := []startCount{{0, 200}, {0, 200}, {0, 200}}
	b := []startCount{{40, 200}, {44, 200}, {38, 200}}
	r, err := shareRatio(a, b, 0.05, Whole{A: 1000, B: 1100})
	if err != nil || r.A != 0 || math.Abs(r.B-1100*122/600.) > 1e-9 || r.Low < math.Log(5) || math.IsInf(r.High, 1) {
		t.Errorf("from nothing: %+v, %v", r, err)
	}
	if _, err := shareRatio(a, a, 0.05, Whole{A: 1, B: 1}); !errors.Is(err, ErrNoSample) {
		t.Errorf("on neither side: %v", err)
	}
	if r, err := shareRatio(a[:1], b[:1], 0.05, Whole{A: 1, B: 1}); err != nil || !math.IsInf(r.High, 1) {
		t.Errorf("one start has an interval: %+v, %v", r, err)
	}
}

// A function costs what the stacks cost that it is on, once each, inlined or not, and however
// many profiles there are of a start.
func TestCompareFunctionCountsStacks(t *testing.T) {
	start := func(n int, inWork int64) prof.Capture {
		c := capturetest.CPU(proftest.BuildCPU().Ticks(inWork, "main.parse < main.work < main.work < main.main").Ticks(inWork,
			"main.hash + main.work < main.main").
			Ticks(100-2*inWork, "syscall.read < main.main"), 1000)
		c.Start = n
		return c
	}
	a := []prof.Capture{start(1, 10), start(1, 10), start(2, 11), start(3, 9)}
	b := []prof.Capture{start(1, 20), start(2, 21), start(3, 19)}
	r, err := CompareFunction(a, b, "main.work", Whole{A: 1000, B: 1000}, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	if r.SamplesA != 80 || r.AllA != 400 || r.SamplesB != 120 || r.AllB != 300 || r.Starts != 3 || r.A != 200 ||
		r.B != 400 || r.Dispersion != 1 {
		t.Errorf("got %+v", r)
	}
	if !(r.Low > math.Log(1.4) && r.Low < math.Log(2) && r.High > math.Log(2) && r.High < math.Log(2.8)) || r.P > 0.01 {
		t.Errorf("the interval of a doubled cost is %v ... %v, p = %v", math.Exp(r.Low), math.Exp(r.High), r.P)
	}
	names, err := Functions(a, b)
	if want := []string{"main.hash", "main.main", "main.parse", "main.work", "syscall.read"}; err != nil ||
		!slices.Equal(names, want) {
		t.Errorf("functions %v, %v", names, err)
	}
	for _, bad := range []struct {
		a, b  []prof.Capture
		name  string
		whole Whole
	}{{a, b, "main.none", Whole{A: 1, B: 1}}, {nil, b, "main.work", Whole{A: 1, B: 1}},
		{a, b, "main.work", Whole{A: 1}}} {
		if r, err := CompareFunction(bad.a, bad.b, bad.name, bad.whole, 0.05); err == nil {
			t.Errorf("%s: got %+v", bad.name, r)
		}
	}
}
