package stats

import (
	"math"
	"strings"
	"testing"
)

// Two-sided critical values of the smaller rank sum, from the published tables
// (McCornack 1965, "Extended tables of the Wilcoxon matched pair signed rank
// statistic", JASA 60; reprinted in most textbooks): the largest sum that is
// significant at that level, by n.
var critical = map[float64]map[int]int{
	0.05: {6: 0, 7: 2, 8: 3, 9: 5, 10: 8, 11: 10, 12: 13, 13: 17, 14: 21, 15: 25, 16: 29, 17: 34, 18: 40,
		19: 46, 20: 52, 21: 58, 22: 65, 23: 73, 24: 81, 25: 89, 26: 98, 27: 107, 28: 116, 29: 126, 30: 137},
	0.01: {8: 0, 9: 1, 10: 3, 11: 5, 12: 7, 13: 9, 14: 12, 15: 15, 16: 19, 17: 23, 18: 27, 19: 32, 20: 37,
		21: 42, 22: 48, 23: 54, 24: 61, 25: 68, 26: 75, 27: 83, 28: 91, 29: 100, 30: 109},
}

func TestIntervalBoundsAgainstPublishedCriticalValues(t *testing.T) {
	for alpha, table := range critical {
		for n, c := range table {
			if k, level := walshBound(n, alpha); k-1 != c || level > alpha {
				t.Errorf("n = %d, level %v: the bound is at rank sum %d with level %v, the table has %d", n, alpha, k-1,
					level, c)
			}
		}
	}
}

// The level that all values of one sign achieve.
func TestFivePairsAreNeverSignificant(t *testing.T) {
	for n, want := range map[int]float64{1: 1, 2: 0.5, 3: 0.25, 4: 0.125, 5: 0.0625, 6: 0.03125} {
		if k, level := walshBound(n, want); k != 1 || level != want {
			t.Errorf("%d pairs with one sign: bound %d at level %v, want the first at %v", n, k, level, want)
		}
		if k, _ := walshBound(n, want*0.999); k != 0 {
			t.Errorf("%d pairs: bound %d below the smallest level", n, k)
		}
	}
}

// At the change from the exact to the normal distribution the level must not jump.
func TestNormalApproximationMeetsTheExactDistribution(t *testing.T) {
	for _, alpha := range []float64{0.8, 0.5, 0.2, 0.1, 0.05} {
		k, exact := walshBound(exactLimit, alpha)
		n, normal := walshBoundNormal(exactLimit, alpha)
		if k-n > 1 || n-k > 1 || k == n && math.Abs(exact-normal) > 0.002 {
			t.Errorf("level %v of %d values: exact bound %d at %v, normal %d at %v", alpha, exactLimit, k, exact, n,
				normal)
		}
	}
}

func TestBadValuesAreNamed(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	_, sr := SequentialSignFlip([]float64{1, nan}, nil, nil)
	_, hl := HodgesLehmann([]float64{1, 2, -inf}, 0.95)
	_, conf := HodgesLehmann([]float64{1, 2}, 95)
	_, sf := SequentialSignFlip([]float64{inf}, nil, nil)
	_, empty := HodgesLehmann(nil, 0.95)
	_, lr := LogRatios([]float64{1, 2}, []float64{1, 0})
	_, neg := LogRatios([]float64{-1, 2}, []float64{1, 2})
	_, lengths := LogRatios([]float64{1, 2}, []float64{1})
	_, q := Quantile([]float64{1}, 1.5)
	_, qn := Median([]float64{1, 2, nan})
	_, gm := GeoMean([]float64{1, 0})
	for _, c := range []struct {
		err  error
		want string
	}{
		{sr, "d[1] is NaN"}, {hl, "d[2] is -Inf"}, {conf, "confidence 95 is outside"},
		{sf, "d[0] is +Inf"}, {empty, "empty"},
		{lr, "b[1] is 0, want a number over 0"}, {neg, "a[0] is -1"}, {lengths, "a has 2 and b has 1"},
		{q, "quantile 1.5"}, {qn, "x[2] is NaN"}, {gm, "x[1] is 0"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want one that says %q", c.err, c.want)
		}
	}
}
