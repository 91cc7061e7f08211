package side

import (
	"fmt"
	"math"
	"slices"
)

// Median is the middle of x, or the mean of the two in the middle; NaN if x is empty.
func Median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// Spread prints the median of x, its least and its greatest value, each by format.
func Spread(format string, x []float64) string {
	if len(x) == 0 {
		return "-"
	}
	return fmt.Sprintf(format+" ("+format+" .. "+format+")", Median(x), slices.Min(x), slices.Max(x))
}
