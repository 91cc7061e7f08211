package sampled

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// The heap profiler by its own rule (each object sampled with 1-exp(-size/rate),
// counts scaled by the inverse), many times over: the spread must be the one claimed.
func TestHeapVarianceAgainstSimulation(t *testing.T) {
	const rate, rounds = 512 << 10, 4000
	rng := rand.NewPCG(5, 6)
	for _, c := range []struct {
		objects float64
		size    float64
	}{
		{2_000_000, 48},
		{200_000, 4096},
		{1000, 256 << 10},
		{500, 1 << 20},
	} {
		p := 1 - math.Exp(-c.size/rate)
		binomial := distuv.Binomial{N: c.objects, P: p, Src: rng}
		counts, bytes := make([]float64, rounds), make([]float64, rounds)
		for i := range counts {
			counts[i] = binomial.Rand() / p
			bytes[i] = counts[i] * c.size
		}
		for _, v := range []struct {
			what      string
			got, want float64
		}{
			{"objects", heapSample{c.objects, c.objects * c.size}.variance(rate, false), stat.Variance(counts, nil)},
			{"bytes", heapSample{c.objects, c.objects * c.size}.variance(rate, true), stat.Variance(bytes, nil)},
		} {
			// 4000 rounds give a variance to within 2.2 %; five of those.
			if ratio := v.got / v.want; math.Abs(ratio-1) > 0.11 {
				t.Errorf("%v objects of %v: variance of %s %.4g, simulated %.4g", c.objects, c.size, v.what, v.got,
					v.want)
			}
		}
	}
}
