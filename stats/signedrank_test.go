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

func TestSignedRankAgainstPublishedCriticalValues(t *testing.T) {
	for alpha, table := range critical {
		for n, c := range table {
			at, beyond := pWithSum(t, n, c), pWithSum(t, n, c+1)
			if at > alpha || beyond <= alpha {
				t.Errorf("n = %d, level %v: p is %v at rank sum %d and %v at %d, the table changes between them",
					n, alpha, at, c, beyond, c+1)
			}
		}
	}
}

// pWithSum tests the values 1 ... n with signs that make the negative ranks add up
// to sum.
func pWithSum(t *testing.T, n, sum int) float64 {
	t.Helper()
	d := make([]float64, n)
	for r := n; r >= 1; r-- {
		d[r-1] = float64(r)
		if r <= sum {
			d[r-1] = -d[r-1]
			sum -= r
		}
	}
	res, err := SignedRank(d)
	if err != nil {
		t.Fatal(err)
	}
	return res.P
}

func TestFivePairsAreNeverSignificant(t *testing.T) {
	for n, want := range map[int]float64{1: 1, 2: 0.5, 3: 0.25, 4: 0.125, 5: 0.0625, 6: 0.03125} {
		if got := pWithSum(t, n, 0); got != want {
			t.Errorf("%d pairs with one sign: p = %v, want %v", n, got, want)
		}
	}
}

// The exact distribution with ties and zeros is held against all sign patterns,
// tried one by one.
func TestSignedRankWithTiesAndZerosByEnumeration(t *testing.T) {
	for _, d := range [][]float64{
		{1, 1, 1, -1, 2, 2, 0, 0, 3, -3, 4},
		{0, 0, 0, 5},
		{2, 2, 2, 2, 2, 2, 2, 2},
		{-1, 1, -1, 1},
	} {
		res, err := SignedRank(d)
		if err != nil {
			t.Fatal(err)
		}
		ranks := doubledRanks(d)
		hits := 0
		for mask := range 1 << len(d) {
			plus, minus := 0, 0
			for i, v := range d {
				switch {
				case v == 0:
				case mask>>i&1 == 1:
					plus += ranks[i]
				default:
					minus += ranks[i]
				}
			}
			if float64(min(plus, minus))/2 <= min(res.Plus, res.Minus) {
				hits++
			}
		}
		if want := math.Ldexp(float64(hits), -len(d)); res.P != want {
			t.Errorf("%v: p = %v, all patterns say %v", d, res.P, want)
		}
	}
}

// At the change from the exact to the normal distribution p must not jump.
func TestNormalApproximationMeetsTheExactDistribution(t *testing.T) {
	for _, sum := range []int{100, 300, 434, 500, 637} {
		ranks := make([]int, exactLimit)
		for i := range ranks {
			ranks[i] = 2 * (i + 1)
		}
		exact, normal := signedRankExact(ranks, 2*sum), signedRankNormal(ranks, 2*sum)
		if math.Abs(exact-normal) > 0.002 {
			t.Errorf("rank sum %d of %d values: exact p %v, normal p %v", sum, exactLimit, exact, normal)
		}
	}
}

func TestSignedRankOfZerosOnlyIsNoEvidence(t *testing.T) {
	for _, n := range []int{1, 50, 51} {
		res, err := SignedRank(make([]float64, n))
		if err != nil || res.P != 1 || res.Zeros != n {
			t.Errorf("%d zeros: %+v, %v", n, res, err)
		}
	}
}

func TestBadValuesAreNamed(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	_, sr := SignedRank([]float64{1, nan})
	_, hl := HodgesLehmann([]float64{1, 2, -inf}, 0.95)
	_, conf := HodgesLehmann([]float64{1, 2}, 95)
	_, sf := SignFlip([]float64{inf}, 0, nil)
	_, rng := SignFlip(make([]float64, 21), 1000, nil)
	_, empty := SignedRank(nil)
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
		{sf, "d[0] is +Inf"}, {rng, "need a generator"}, {empty, "empty"},
		{lr, "b[1] is 0, want a number over 0"}, {neg, "a[0] is -1"}, {lengths, "a has 2 and b has 1"},
		{q, "quantile 1.5"}, {qn, "x[2] is NaN"}, {gm, "x[1] is 0"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want one that says %q", c.err, c.want)
		}
	}
}
