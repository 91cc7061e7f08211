package search

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The highest rate is found although a share of the tries of good rates fails, and the interval has it as often as it
// says.
func TestRatesStandUpToDisturbedTries(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for _, tc := range []struct{ disturbed, near, covered float64 }{
		{0, 0.97, 0.95},
		{0.1, 0.95, 0.9},
		{0.25, 0.85, 0.87},
	} {
		const searches = 500
		near, covered := 0, 0
		for range searches {
			const ceiling = 5000.0
			highest := ceiling * (0.05 + 0.95*random.Float64())
			r := NewRates(ceiling)
			for range 24 {
				rate := r.Next()
				r.Observe(rate, rate <= highest && random.Float64() >= tc.disturbed)
			}
			if got := r.Quantile(0.25); math.Abs(math.Log(got/highest)) < math.Log(1.15) {
				near++
			}
			if low, high := r.Interval(0.9); low <= highest && highest <= high {
				covered++
			}
		}
		if got := float64(near) / searches; got < tc.near {
			t.Errorf("of %v disturbed: %.3f of the searches end within 15 %%", tc.disturbed, got)
		}
		if got := float64(covered) / searches; got < tc.covered {
			t.Errorf("of %v disturbed: the interval has %.3f of the rates", tc.disturbed, got)
		}
	}
}

// Low rates are found, too, and a rate over the ceiling is not believed.
func TestRatesFarFromTheCeiling(t *testing.T) {
	for _, highest := range []float64{8, 60, 4990, 1e9} {
		r := NewRates(5000)
		for range 30 {
			rate := r.Next()
			r.Observe(rate, rate <= highest)
		}
		want := min(highest, 5000)
		if got := r.Next(); got < want/1.06 || got > want*1.06 {
			t.Errorf("highest %v: found %v", highest, got)
		}
	}
}
