package stats

import (
	"cmp"
	"math"
	"slices"
)

// exactLimit is the largest sample for which the null distribution of the
// signed-rank statistic is enumerated. Up to 53 the counts, at most 2^n, are exact
// in a float64; SciPy and R change to the normal approximation at 50 as well.
const exactLimit = 50

// doubledRanks returns twice the rank of each |d[i]|.
func doubledRanks(d []float64) []int {
	sizes := make([]float64, len(d))
	for i, v := range d {
		sizes[i] = math.Abs(v)
	}
	ranks, _ := rank(sizes)
	return ranks
}

// rank returns twice the rank of each value and the sizes of the groups of ties, which share
// the mean of their ranks. A mean of ranks is a multiple of 1/2, so that twice the rank is a
// whole number and sums of ranks can be counted exactly.
func rank(x []float64) (doubled, ties []int) {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	doubled = make([]int, len(x))
	for first := 0; first < len(order); {
		end := first + 1
		for end < len(order) && x[order[end]] == x[order[first]] {
			end++
		}
		// Ranks first+1 ... end, of which the mean is (first+1+end)/2.
		for _, i := range order[first:end] {
			doubled[i] = first + 1 + end
		}
		if end-first > 1 {
			ties = append(ties, end-first)
		}
		first = end
	}
	return doubled, ties
}

// signSumCounts returns how many of the 2^len(weights) ways to pick a subset of the
// weights give each sum: the null distribution of a sum of positive ranks, times
// 2^n (Hollander & Wolfe 1999, section 3.1, comment 9). The weights are added one
// after the other, each sum being reached without the new weight or with it.
func signSumCounts(weights []int) []float64 {
	total := 0
	for _, w := range weights {
		total += w
	}
	counts := make([]float64, total+1)
	counts[0] = 1
	reached := 0
	for _, w := range weights {
		reached += w
		for s := reached; s >= w; s-- {
			counts[s] += counts[s-w]
		}
	}
	return counts
}
