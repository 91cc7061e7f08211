package stats

import (
	"fmt"
	"math"
	"slices"
)

// The largest samples, each, whose null distribution is counted out: without ties some 20
// million additions at the limit, with ties, whose ranks are halves, 3 million.
const (
	exactTwoSample     = 50
	exactTwoSampleTies = 25
)

// MannWhitneyResult is the outcome of a two-sample rank test.
type MannWhitneyResult struct {
	// NA and NB are the sizes of the samples.
	NA, NB int
	// U is the number of pairs (a, b) with b > a, plus half the pairs with b = a:
	// U/(NA*NB) estimates the chance that a value of b is the larger one.
	U float64
	// P is the two-sided p-value: twice the smaller tail, at most 1.
	P float64
	// Exact says that P was counted out rather than approximated by a normal
	// distribution.
	Exact bool
}

// MannWhitney is the two-sided rank-sum test of a and b being drawn from the same
// distribution (Wilcoxon 1945; Mann & Whitney 1947, "On a test of whether one of two
// random variables is stochastically larger than the other", Annals of Mathematical
// Statistics 18(1); Hollander & Wolfe 1999, "Nonparametric Statistical Methods", 2nd ed.,
// section 4.1). It is for samples that were not taken in pairs; values of each have
// to be independent, which slices of runs taken one after the other are not.
//
// Ties share the mean of their ranks. With up to 50 values on each side, 25 if there are
// ties, the null distribution is exact, given the ties seen. Beyond it is normal, with
// the correction of the variance for ties (Hollander & Wolfe, equation 4.13) and a
// continuity correction of 1/2.
func MannWhitney(a, b []float64) (MannWhitneyResult, error) {
	if err := checkTwo(a, b); err != nil {
		return MannWhitneyResult{}, fmt.Errorf("rank values: %w", err)
	}
	res := MannWhitneyResult{NA: len(a), NB: len(b)}
	ranks, ties := rank(slices.Concat(a, b)) // those of a come first
	sum := 0                                 // of the doubled ranks of b
	for _, r := range ranks[len(a):] {
		sum += r
	}
	res.U = float64(sum-len(b)*(len(b)+1)) / 2
	limit := exactTwoSample
	if len(ties) > 0 {
		limit = exactTwoSampleTies
	}
	res.Exact = max(len(a), len(b)) <= limit
	if res.Exact {
		res.P = rankSumExact(ranks, len(b), sum, len(ties) > 0)
	} else {
		res.P = rankSumNormal(res.U, len(a), len(b), ties)
	}
	return res, nil
}

func checkTwo(a, b []float64) error {
	if len(a) == 0 {
		return fmt.Errorf("a: %w", ErrEmpty)
	}
	if len(b) == 0 {
		return fmt.Errorf("b: %w", ErrEmpty)
	}
	if err := checkFinite("a", a); err != nil {
		return err
	}
	return checkFinite("b", b)
}

// rankSumExact returns the two-sided p-value of a sum of n of the doubled ranks. With
// ties the distribution need not be symmetric: the smaller tail counts.
func rankSumExact(doubled []int, n, sum int, ties bool) float64 {
	weights := doubled
	if !ties { // half the sums to count
		weights = make([]int, len(doubled))
		for i, r := range doubled {
			weights[i] = r / 2
		}
		sum /= 2
	}
	counts := choiceSumCounts(weights, n)
	total, below, above := 0.0, 0.0, 0.0
	for s, c := range counts {
		total += c
		if s <= sum {
			below += c
		}
		if s >= sum {
			above += c
		}
	}
	return min(1, 2*min(below, above)/total)
}

// choiceSumCounts returns how many of the ways to choose n of the weights give each sum:
// the null distribution of a rank sum, times the number of ways (Hollander & Wolfe 1999,
// section 4.1, comment 5). The weights are added one after the other, each sum being
// reached without the new weight or with it; as nothing is subtracted, counts beyond 2^53
// are rounded but lose no digits.
func choiceSumCounts(weights []int, n int) []float64 {
	sorted := slices.Clone(weights)
	slices.Sort(sorted)
	highest := make([]int, n+1) // largest sum of that many, so far
	counts := make([][]float64, n+1)
	for j := range counts {
		top := 0
		for _, w := range sorted[len(sorted)-j:] {
			top += w
		}
		counts[j] = make([]float64, top+1)
	}
	counts[0][0] = 1
	for i, w := range sorted {
		for j := min(i+1, n); j >= 1; j-- {
			from, to := counts[j-1][:highest[j-1]+1], counts[j][w:]
			for s, c := range from {
				to[s] += c
			}
			highest[j] = highest[j-1] + w // sorted: the last j are the largest
		}
	}
	return counts[n]
}

func rankSumNormal(u float64, na, nb int, ties []int) float64 {
	m, n := float64(na), float64(nb)
	total := m + n
	tied := 0.0
	for _, size := range ties {
		t := float64(size)
		tied += t * (t*t - 1)
	}
	variance := m * n / 12 * (total + 1 - tied/(total*(total-1)))
	if variance <= 0 {
		return 1 // all values are equal
	}
	gap := max(0, math.Abs(u-m*n/2)-0.5)
	return min(1, 2*normalCDF(-gap/math.Sqrt(variance)))
}
