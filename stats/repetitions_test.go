package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Blocks of unequal sizes, with the noise and the luck of a start that were measured: the
// estimate is right on average, and it stays with the bulk of the noise.
func TestRobustWithinOnAverage(t *testing.T) {
	r := rand.New(rand.NewPCG(2013, 6))
	const designs, sigma, luck = 400, 0.04, 0.03
	robust, disturbed := 0.0, 0.0
	for range designs {
		var clean, noisy [][]float64
		for _, size := range []int{2, 3, 4, 9, 2, 5, 6, 3} {
			block, hit := make([]float64, size), make([]float64, size)
			mean := luck * r.NormFloat64()
			for i := range block {
				block[i] = mean + sigma*r.NormFloat64()
				hit[i] = block[i]
				if r.IntN(20) == 0 {
					hit[i] += 0.5
				}
			}
			clean, noisy = append(clean, block), append(noisy, hit)
		}
		rw, err := RobustWithin(clean)
		if err != nil {
			t.Fatal(err)
		}
		rd, err := RobustWithin(noisy)
		if err != nil {
			t.Fatal(err)
		}
		robust, disturbed = robust+math.Sqrt(rw)/designs, disturbed+math.Sqrt(rd)/designs
	}
	t.Logf("sd %.4f, disturbed %.4f", robust, disturbed)
	if math.Abs(robust/sigma-1) > 0.04 || disturbed/sigma > 1.2 {
		t.Errorf("robust %v, with disturbed values %v, truth %v", robust, disturbed, sigma)
	}
}

func TestRepetitions(t *testing.T) {
	for _, c := range []struct {
		v     BlockVariances
		costs BlockCosts
		want  int
	}{
		// sqrt(2/0.1 * 0.0016/0.000036) = 29.8
		{BlockVariances{0.0016, 0.000036}, BlockCosts{2, 0.1}, 30},
		{BlockVariances{4, 1}, BlockCosts{1, 1}, 2}, {BlockVariances{4, 1}, BlockCosts{4, 1}, 4},
		{BlockVariances{0.1, 1}, BlockCosts{1, 1}, 1}, {BlockVariances{0, 1}, BlockCosts{1, 1}, 1},
		{BlockVariances{1, 1}, BlockCosts{0, 1}, 1}, {BlockVariances{1, 0}, BlockCosts{1, 1}, math.MaxInt},
		{BlockVariances{1, 1}, BlockCosts{1, 0}, math.MaxInt}, {BlockVariances{0, 0}, BlockCosts{1, 1}, 1},
	} {
		if got := Repetitions(c.v, c.costs); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	// No other number gives a smaller variance of the mean for the same cost, but for rounding up.
	v, costs := BlockVariances{Within: 0.0016, Between: 0.000036}, BlockCosts{Start: 2, Value: 0.1}
	cost := func(n int) float64 {
		return (v.Between + v.Within/float64(n)) * (costs.Start + costs.Value*float64(n))
	}
	best := Repetitions(v, costs)
	for n := 1; n < 200; n++ {
		if cost(n) < cost(best)*0.999 {
			t.Errorf("%d repetitions are better than %d: %v against %v", n, best, cost(n), cost(best))
		}
	}
}

func TestRobustWithinNeedsRepetition(t *testing.T) {
	for _, blocks := range [][][]float64{nil, {{1}, {2}}, {{1, 2}, {}}, {{1, 2}, {3, math.NaN()}}} {
		if _, err := RobustWithin(blocks); err == nil {
			t.Errorf("%v: no error", blocks)
		}
	}
}
