package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The sleep data of Cushny and Peebles (1905), from Student 1908: R's documentation prints
// t = -1.8608, df = 18, p-value = 0.07919 and the interval -3.363874 ... 0.203874 for
// t.test(extra ~ group, data = sleep, var.equal = TRUE).
func TestMeanShiftOnStudentsOwnData(t *testing.T) {
	second := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	first := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2}
	r, err := MeanShift(second, first, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want float64 }{
		{r.Low, -3.363874}, {r.High, 0.203874}, {r.P, 0.07918671}, {r.Value / r.StdErr, -1.860813},
	} {
		if math.Abs(c.got-c.want) > 1e-6 {
			t.Errorf("got %v, R has %v", c.got, c.want)
		}
	}
}

// Of 4,000 pairs of three values each, an interval of 95 % misses the true shift in 5 %: within
// four standard errors of that share.
func TestMeanShiftCoversTheShift(t *testing.T) {
	const trials, shift = 4000, 0.3
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(at float64) []float64 {
		return []float64{at + rng.NormFloat64(), at + rng.NormFloat64(), at + rng.NormFloat64()}
	}
	missed := 0
	for range trials {
		r, err := MeanShift(draw(5), draw(5+shift), 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if r.Low > shift || r.High < shift {
			missed++
		}
	}
	if share := float64(missed) / trials; math.Abs(share-0.05) > 4*math.Sqrt(0.05*0.95/trials) {
		t.Errorf("%.1f %% of the intervals miss the shift, want 5 %%", 100*share)
	}
}

func TestMeanShiftOfWhatDoesNotScatter(t *testing.T) {
	same, err := MeanShift([]float64{2, 2}, []float64{2, 2}, 0.95)
	if err != nil || same.P != 1 || same.Low != 0 || same.High != 0 {
		t.Errorf("equal values: %+v, %v", same, err)
	}
	other, err := MeanShift([]float64{2, 2}, []float64{3, 3}, 0.95)
	if err != nil || other.P != 0 || other.Low != 1 || other.High != 1 {
		t.Errorf("other values: %+v, %v", other, err)
	}
	for _, bad := range [][2][]float64{{{1}, {1, 2}}, {{}, {1, 2}}, {{1, math.NaN()}, {1, 2}}} {
		if r, err := MeanShift(bad[0], bad[1], 0.95); err == nil {
			t.Errorf("%v: got %+v", bad, r)
		}
	}
	if r, err := MeanShift([]float64{1, 2}, []float64{1, 2}, 1); err == nil {
		t.Errorf("confidence 1: got %+v", r)
	}
}
