package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// noises are the kinds of slices that a paired comparison sees: each returns one log
// ratio around 0.
var noises = []struct {
	name string
	draw func(*rand.Rand) float64
}{
	{"normal", func(r *rand.Rand) float64 { return r.NormFloat64() }},
	{"Laplace", func(r *rand.Rand) float64 {
		return r.ExpFloat64() - r.ExpFloat64()
	}},
	{"lognormal ratio", func(r *rand.Rand) float64 {
		a, b := math.Exp(0.2*r.NormFloat64()), math.Exp(0.2*r.NormFloat64())
		d, err := LogRatios([]float64{a}, []float64{b})
		if err != nil {
			panic(err)
		}
		return d[0]
	}},
	{"disturbed", func(r *rand.Rand) float64 { // one pair in ten is hit by a neighbour
		if r.IntN(10) == 0 {
			return 20 * r.NormFloat64()
		}
		return r.NormFloat64()
	}},
}

// The interval covers the truth as often as it says. The seeds are fixed, so the outcome is; the bounds are those
// of a binomial count, 4 standard deviations around the achieved level.
func TestCoverage(t *testing.T) {
	const rounds = 1000
	for _, n := range []int{6, 12, 30, 80} {
		for k, noise := range noises {
			rng := rand.New(rand.NewPCG(uint64(n), uint64(k)))
			got := simulate(t, n, rounds, func() float64 { return noise.draw(rng) })
			t.Logf("%-16s n = %2d: %+v", noise.name, n, got)
			slack := 4 * math.Sqrt(got.conf*(1-got.conf)/rounds)
			if math.Abs(got.covered-got.conf) > slack {
				t.Errorf("%s, n = %d: the %.4f interval covers the truth in %.4f", noise.name, n, got.conf, got.covered)
			}
		}
	}
}

// rates are the share of the simulated samples whose interval covered the truth, and the
// confidence that the interval says it achieves.
type rates struct{ conf, covered float64 }

func simulate(t *testing.T, n, rounds int, draw func() float64) (r rates) {
	t.Helper()
	const truth = -0.05
	d := make([]float64, n)
	share := 1 / float64(rounds)
	for range rounds {
		for i := range d {
			d[i] = truth + draw()
		}
		e, err := HodgesLehmann(d, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		r.conf = e.Conf
		if e.Low <= truth && truth <= e.High {
			r.covered += share
		}
	}
	return r
}
