package benchtext

import "math"

// Readable rounds a number of operations down to two digits.
func Readable(n float64) int {
	if !(n > 1) {
		return 1
	}
	n = min(n, 1e9) // the most that the testing package does by itself
	step := math.Pow(10, math.Max(0, math.Floor(math.Log10(n))-1))
	return int(math.Floor(n/step) * step)
}
