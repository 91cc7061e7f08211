package stats

import (
	"fmt"
	"math"
)

// Components estimates the two variances of a design with two levels, values within
// blocks (slices within starts of a process): within is the variance of the values of one
// block, between that of the blocks' true means.
//
// It is the analysis of variance of the one-way random model (Searle, Casella & McCulloch
// 1992, "Variance Components", section 3.6; Kalibera & Jones 2013, "Rigorous benchmarking
// in reasonable time", ISMM, section 6): within is the mean square within blocks, and
// between (MSB - within) / n0, n0 = (N - sum(n_i^2)/N) / (k-1) for k blocks with n_i of
// the N values. Both are unbiased, but for between being raised to 0 where it comes out
// negative; blocks may differ in size.
//
// An error says so if there are less than 2 blocks, an empty one, or none with 2 values.
func Components(blocks [][]float64) (within, between float64, err error) {
	if err := checkBlocks(blocks); err != nil {
		return 0, 0, fmt.Errorf("estimate variance components: %w", err)
	}
	if len(blocks) < 2 {
		return 0, 0, fmt.Errorf("estimate variance components: 1 block says nothing about the variance between blocks, want at least 2")
	}
	n, squares, grand := 0.0, 0.0, 0.0
	means := make([]float64, len(blocks))
	for i, block := range blocks {
		size := float64(len(block))
		for _, v := range block {
			means[i] += v / size
		}
		n += size
		squares += size * size
	}
	for i, block := range blocks {
		grand += means[i] * float64(len(block)) / n
	}
	ssWithin, ssBetween := 0.0, 0.0
	for i, block := range blocks {
		for _, v := range block {
			ssWithin += (v - means[i]) * (v - means[i])
		}
		ssBetween += float64(len(block)) * (means[i] - grand) * (means[i] - grand)
	}
	k := float64(len(blocks))
	within = ssWithin / (n - k)
	between = (ssBetween/(k-1) - within) / ((n - squares/n) / (k - 1))
	return within, max(0, between), nil
}

// RobustWithin estimates the variance within blocks as Components does, but from the
// middle of the noise: a disturbed value in ten hardly moves it. What it returns is the
// variance of the normal distribution that has the same middle.
//
// It is the square of 1.0483 times the median of |x-y| over all pairs of values of one
// block (Shamos 1976, "Geometry and statistics: problems at the interface"; Rousseeuw &
// Croux 1993, "Alternatives to the median absolute deviation", JASA 88). Differences need
// no centre of the block, so blocks of two values are as good as large ones, where
// deviations from a block's median shrink; for normal noise it is as precise as the variance of
// 86 % of the values, the median absolute deviation as that of 37 %. It withstands up to
// 29 % of wild values.
//
// Time and memory grow with the sum of the squared sizes of the blocks.
func RobustWithin(blocks [][]float64) (float64, error) {
	if err := checkBlocks(blocks); err != nil {
		return 0, fmt.Errorf("estimate variance within blocks: %w", err)
	}
	var gaps []float64
	for _, block := range blocks {
		for i, v := range block {
			for _, w := range block[:i] {
				gaps = append(gaps, math.Abs(v-w))
			}
		}
	}
	median, err := Median(gaps)
	if err != nil {
		return 0, fmt.Errorf("estimate variance within blocks: %w", err)
	}
	// The median of |x-y| of two normal values is sqrt(2) times the third quartile.
	sigma := median / (math.Sqrt2 * normalQuantile(0.75))
	return sigma * sigma, nil
}

func checkBlocks(blocks [][]float64) error {
	if len(blocks) == 0 {
		return ErrEmpty
	}
	repeated := false
	for i, block := range blocks {
		if err := checkFinite("values", block); err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
		repeated = repeated || len(block) > 1
	}
	if !repeated {
		return fmt.Errorf("each block has 1 value, which says nothing about the variance within blocks: want 2 in one of them at least")
	}
	return nil
}

// Repetitions returns how many values to take in each block, so that the mean of all is
// as precise as it can be for what it costs: the ceiling of
// sqrt(costStart/costRepetition * within/between), at least 1 (Kalibera & Jones 2013,
// section 6.2, the case of two levels; Cochran 1977, "Sampling Techniques", equation
// 10.25). costStart is what a block costs before its first value, costRepetition what
// a value costs, in the same unit; within and between are those of Components.
//
// With between 0 a new block gains nothing, and the result is math.MaxInt, as it is where
// a value costs nothing; the caller has a limit of its own.
func Repetitions(within, between, costStart, costRepetition float64) int {
	if !(within > 0 && costStart > 0) {
		return 1
	}
	n := math.Ceil(math.Sqrt(costStart / costRepetition * (within / between)))
	if !(n < math.MaxInt32) { // also if NaN: 0/0 of what costs nothing
		return math.MaxInt
	}
	return max(1, int(n))
}
