package stats

import (
	"fmt"
	"math"
	"slices"
)

// Quantile returns the p-quantile of x, 0 <= p <= 1, by definition 7 of Hyndman &
// Fan (1996), "Sample quantiles in statistical packages", The American Statistician
// 50(4): linear interpolation between the order statistics, with the smallest value
// at p = 0 and the largest at p = 1. It is the default of R and NumPy.
//
// x need not be sorted. The error names the index of a value that is not finite.
func Quantile(x []float64, p float64) (float64, error) {
	if err := checkFinite("x", x); err != nil {
		return 0, err
	}
	if !(p >= 0 && p <= 1) {
		return 0, fmt.Errorf("quantile %v is outside 0 ... 1", p)
	}
	s := slices.Clone(x)
	slices.Sort(s)
	at := p * float64(len(s)-1)
	lo := int(math.Floor(at))
	hi := min(lo+1, len(s)-1)
	share := at - float64(lo)
	// Weighting both ends, rather than adding a share of their difference, cannot
	// overflow; equal ends are returned as they are, without rounding.
	if s[lo] == s[hi] {
		return s[lo], nil
	}
	return s[lo]*(1-share) + s[hi]*share, nil
}

// Median returns the middle value of x, or the mean of the middle two (all
// definitions of Hyndman & Fan but 1 and 3 agree on it).
func Median(x []float64) (float64, error) { return Quantile(x, 0.5) }
