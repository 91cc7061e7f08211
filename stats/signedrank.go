package stats

import (
	"fmt"
	"math"
)

// SignedRankResult is the outcome of a signed-rank test.
type SignedRankResult struct {
	// N is the number of values, Zeros how many of them were exactly 0.
	N, Zeros int
	// Plus and Minus are the sums of the ranks of the positive and of the negative
	// values; ranks that belong to zeros are in neither.
	Plus, Minus float64
	// P is the two-sided p-value: the chance of sums at least this unequal if each
	// value were as likely to have the opposite sign.
	P float64
	// Exact says that P was counted out rather than approximated by a normal
	// distribution.
	Exact bool
}

// SignedRank is the two-sided Wilcoxon signed-rank test of d being symmetric about
// 0 (Wilcoxon 1945, "Individual comparisons by ranking methods", Biometrics
// Bulletin 1(6); Hollander & Wolfe 1999, "Nonparametric Statistical Methods", 2nd
// ed., section 3.1).
//
// Ties share the mean of their ranks. Zeros are ranked with the rest and their
// ranks then dropped (Pratt 1959, "Remarks on zeros and ties in the Wilcoxon signed
// rank procedures", JASA 54). Wilcoxon's own way, to drop zeros before ranking, is
// not used because, as Pratt shows, a sample that is significantly positive can then
// cease to be so when every value of it grows.
//
// With up to 50 values the null distribution is exact, given the ties and zeros
// seen. Beyond it is normal, with mean sum(r)/2 and variance sum(r^2)/4 over the
// ranks r of the non-zero values, which contains the corrections for ties and zeros
// (Cureton 1967, "The normal approximation to the signed-rank sampling distribution
// when zero differences are present", JASA 62), and a continuity correction of 1/2.
//
// P is 1 if all values are 0. Values that ought to be equal but differ in the last
// bit are no ties: round before if that matters.
func SignedRank(d []float64) (SignedRankResult, error) {
	if err := checkFinite("d", d); err != nil {
		return SignedRankResult{}, fmt.Errorf("rank values: %w", err)
	}
	ranks := doubledRanks(d)
	res := SignedRankResult{N: len(d), Exact: len(d) <= exactLimit}
	kept := make([]int, 0, len(d)) // doubled ranks of the non-zero values
	plus, minus := 0, 0
	for i, v := range d {
		switch {
		case v > 0:
			plus += ranks[i]
		case v < 0:
			minus += ranks[i]
		default:
			res.Zeros++
			continue
		}
		kept = append(kept, ranks[i])
	}
	res.Plus, res.Minus = float64(plus)/2, float64(minus)/2
	if res.Exact {
		res.P = signedRankExact(kept, min(plus, minus))
	} else {
		res.P = signedRankNormal(kept, min(plus, minus))
	}
	return res, nil
}

// signedRankExact returns the two-sided p-value for the smaller of the two sums.
// The distribution is symmetric with or without ties, so both tails weigh the same;
// they overlap, and p is 1, where the sums are equal.
func signedRankExact(doubled []int, smaller int) float64 {
	tail := 0.0
	for _, c := range signSumCounts(doubled)[:smaller+1] {
		tail += c
	}
	return min(1, 2*math.Ldexp(tail, -len(doubled)))
}

func signedRankNormal(doubled []int, smaller int) float64 {
	sum, squares := 0.0, 0.0
	for _, r := range doubled {
		rank := float64(r) / 2
		sum += rank
		squares += rank * rank
	}
	if squares == 0 {
		return 1 // zeros only
	}
	gap := max(0, sum/2-float64(smaller)/2-0.5)
	return min(1, 2*normalCDF(-gap/math.Sqrt(squares/4)))
}
