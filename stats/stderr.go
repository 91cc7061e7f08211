package stats

import "math"

// StdErr is the standard error of the mean of x; 0 for fewer than two values.
func StdErr(x []float64) float64 {
	n := float64(len(x))
	if n < 2 {
		return 0
	}
	mean, squares := 0.0, 0.0
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares / (n - 1) / n)
}
