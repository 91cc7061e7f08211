package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Distributions with one mode, with light and heavy tails, skewed or not, are said to have two in one of twenty
// samples at most; two heaps six standard deviations apart are found, in equal shares and in unequal ones.
func TestTwoModes(t *testing.T) {
	const rounds = 60
	for _, c := range []struct {
		name        string
		draw        func(*rand.Rand) float64
		n           int
		least, most float64
	}{
		{"uniform", (*rand.Rand).Float64, 20, 0, 0.14},
		{"normal", (*rand.Rand).NormFloat64, 12, 0, 0.04},
		{"normal", (*rand.Rand).NormFloat64, 40, 0, 0.02},
		{"skewed", (*rand.Rand).ExpFloat64, 20, 0, 0.05},
		{"heavy tails", func(r *rand.Rand) float64 { return r.NormFloat64() / math.Sqrt(r.ExpFloat64()) }, 20, 0, 0.05},
		{"two heaps", func(r *rand.Rand) float64 { return r.NormFloat64() + 6*float64(r.IntN(2)) }, 20, 0.8, 1},
		{"a quarter", func(r *rand.Rand) float64 { return r.NormFloat64() + 7*float64(max(0, r.IntN(4)-2)) }, 44, 0.8, 1},
	} {
		rng, found := rand.New(rand.NewPCG(57, 7)), 0
		for range rounds {
			x := make([]float64, c.n)
			for i := range x {
				x[i] = c.draw(rng)
			}
			if m, err := TwoModes(x); err != nil {
				t.Fatal(err)
			} else if m.P <= 0.05 {
				found++
			}
		}
		share := float64(found) / rounds
		t.Logf("%s, n=%d: two modes in %.3f", c.name, c.n, share)
		if share < c.least || share > c.most {
			t.Errorf("%s, n=%d: two modes in %.3f, want %v to %v", c.name, c.n, share, c.least, c.most)
		}
	}
}

// The heaps are said with their means and sizes, and what has no two parts has a P of 1.
func TestTheHeapsOfTwoModes(t *testing.T) {
	m, err := TwoModes([]float64{9, 1, 10, 2, 11, 1.5, 10, 9.5, 2, 10})
	if err != nil || m.LowN != 4 || m.HighN != 6 || m.Low != 1.625 || math.Abs(m.High-59.5/6) > 1e-12 || m.P > 0.01 {
		t.Errorf("%+v, %v", m, err)
	}
	for _, x := range [][]float64{nil, {1, 5}, {3, 3, 3, 3, 3, 3, 3, 3, 3}} {
		if m, err := TwoModes(x); err != nil || m.P != 1 {
			t.Errorf("%v: %+v, %v", x, m, err)
		}
	}
	if m, err := TwoModes([]float64{1, 1, 1, 1, 2, 2, 2, 2}); err != nil || m.P > 0.01 || m.LowN != 4 {
		t.Errorf("two values: %+v, %v", m, err)
	}
	if _, err := TwoModes([]float64{1, 2, 3, 4, 5, 6, 7, 8, math.NaN()}); err == nil {
		t.Error("NaN, and no error")
	}
}
