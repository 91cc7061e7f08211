package stats

import "math"

// Resolves says whether n values show their quantile p, 0 <= p <= 1: at least one of them
// lies beyond it. Of fewer values the quantile is their largest, whatever its name.
func Resolves(n int64, p float64) bool { return n >= Resolving(p) }

// Resolving is how many values it takes to show their quantile p, 0 <= p < 1: 100 for
// 0.99.
func Resolving(p float64) int64 {
	const rounding = 1e-6 // 1/(1-0.999) is 1000.0000000000001 or less by as much
	return max(1, int64(math.Ceil(1/(1-p)-rounding)))
}
