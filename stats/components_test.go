package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestComponentsAgainstR(t *testing.T) {
	for _, c := range readR[struct {
		Name            string
		Blocks          [][]float64
		Within, Between float64
	}](t, "components") {
		within, between, err := Components(c.Blocks)
		if err != nil {
			t.Fatal(err)
		}
		// lme4 stops its search at about six digits.
		if math.Abs(within/c.Within-1) > 1e-6 || math.Abs(between-c.Between) > 1e-6*c.Between {
			t.Errorf("%s: %v and %v, R has %v and %v", c.Name, within, between, c.Within, c.Between)
		}
		if c.Name == "Dyestuff, lme4" { // the published values (Davies & Goldsmith 1972; Bates 2010)
			if math.Round(within) != 2451 || math.Round(between) != 1764 {
				t.Errorf("%s: %v and %v, published are 2451 and 1764", c.Name, within, between)
			}
		}
	}
}

// Blocks of unequal sizes, with the noise and the luck of a start that were measured: the
// estimates are right on average, and the robust one stays with the bulk of the noise.
func TestComponentsOnAverage(t *testing.T) {
	r := rand.New(rand.NewPCG(2013, 6))
	const designs, sigma, luck = 400, 0.04, 0.03
	within, between, robust, disturbed := 0.0, 0.0, 0.0, 0.0
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
		w, b, err := Components(clean)
		if err != nil {
			t.Fatal(err)
		}
		rw, err := RobustWithin(clean)
		if err != nil {
			t.Fatal(err)
		}
		rd, err := RobustWithin(noisy)
		if err != nil {
			t.Fatal(err)
		}
		within, between = within+w/designs, between+b/designs
		robust, disturbed = robust+math.Sqrt(rw)/designs, disturbed+math.Sqrt(rd)/designs
	}
	t.Logf("within %.5f between %.5f robust sd %.4f, disturbed %.4f", within, between, robust, disturbed)
	if math.Abs(within/(sigma*sigma)-1) > 0.05 || math.Abs(between/(luck*luck)-1) > 0.15 {
		t.Errorf("variances %v and %v, truth %v and %v", within, between, sigma*sigma, luck*luck)
	}
	if math.Abs(robust/sigma-1) > 0.04 || disturbed/sigma > 1.2 {
		t.Errorf("robust %v, with disturbed values %v, truth %v", robust, disturbed, sigma)
	}
}

func TestRepetitions(t *testing.T) {
	for _, c := range []struct {
		within, between, start, repetition float64
		want                               int
	}{
		// sqrt(2/0.1 * 0.0016/0.000036) = 29.8
		{0.0016, 0.000036, 2, 0.1, 30},
		{4, 1, 1, 1, 2}, {4, 1, 4, 1, 4}, {0.1, 1, 1, 1, 1}, {0, 1, 1, 1, 1}, {1, 1, 0, 1, 1},
		{1, 0, 1, 1, math.MaxInt}, {1, 1, 1, 0, math.MaxInt}, {0, 0, 1, 1, 1},
	} {
		if got := Repetitions(c.within, c.between, c.start, c.repetition); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	// No other number gives a smaller variance of the mean for the same cost, but for rounding up.
	const within, between, start, repetition = 0.0016, 0.000036, 2.0, 0.1
	cost := func(n int) float64 {
		return (between + within/float64(n)) * (start + repetition*float64(n))
	}
	best := Repetitions(within, between, start, repetition)
	for n := 1; n < 200; n++ {
		if cost(n) < cost(best)*0.999 {
			t.Errorf("%d repetitions are better than %d: %v against %v", n, best, cost(n), cost(best))
		}
	}
}

func TestComponentsNeedRepetitionOnBothLevels(t *testing.T) {
	for _, blocks := range [][][]float64{nil, {{1, 2}}, {{1}, {2}}, {{1, 2}, {}}, {{1, 2}, {3, math.NaN()}}} {
		if _, _, err := Components(blocks); err == nil {
			t.Errorf("%v: no error", blocks)
		}
	}
	if _, err := RobustWithin([][]float64{{1}, {2}}); err == nil {
		t.Error("no error for blocks of 1 value")
	}
}
