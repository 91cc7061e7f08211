package stats

import (
	"fmt"
	"math"
	"slices"
)

// Estimate is a value with its confidence interval.
type Estimate struct {
	// Value lies within Low ... High.
	Value, Low, High float64
	// Conf is the confidence that the interval achieves, as a share of 1; it is at
	// least what was asked for. The bounds are -Inf and +Inf, and Conf is 1, where
	// the sample is too small for any bounded interval at that level.
	Conf float64
}

// Bounded says that the sample was large enough for an interval.
func (e Estimate) Bounded() bool { return !math.IsInf(e.Low, 0) && !math.IsInf(e.High, 0) }

// HodgesLehmann estimates the centre of symmetry of d: the median of the Walsh
// averages (d[i]+d[j])/2, i <= j (Hodges & Lehmann 1963, "Estimates of location
// based on rank tests", Annals of Mathematical Statistics 34(2); Walsh 1949).
//
// The interval holds all centres that the two-sided signed-rank test does not
// reject at level 1-conf, 0 < conf < 1: with M = n(n+1)/2 averages it runs from the
// k-th smallest to the k-th largest, k-1 being the largest rank sum t with
// 2 P(T+ <= t) <= 1-conf (Tukey 1949; Hollander & Wolfe 1999, section 3.3). Rank
// sums are exact up to n = 50, and approximated by a normal distribution with
// continuity correction beyond. Bounds belong to the interval, so
// that ties can only widen what it covers.
//
// Any n is fine: averages are selected by counting, in O(n) memory and O(n log n)
// time, and never listed.
func HodgesLehmann(d []float64, conf float64) (Estimate, error) {
	if err := checkFinite("d", d); err != nil {
		return Estimate{}, fmt.Errorf("estimate centre: %w", err)
	}
	if !(conf > 0 && conf < 1) {
		return Estimate{}, fmt.Errorf("estimate centre: confidence %v is outside 0 ... 1", conf)
	}
	x := slices.Clone(d)
	slices.Sort(x)
	m := len(x) * (len(x) + 1) / 2
	e := Estimate{
		Value: mean2(walshSelect(x, (m+1)/2), walshSelect(x, m/2+1)),
		Low:   math.Inf(-1), High: math.Inf(1), Conf: 1,
	}
	k, level := walshBound(len(x), 1-conf)
	if k > 0 {
		e.Low, e.High, e.Conf = walshSelect(x, k), walshSelect(x, m+1-k), 1-level
	}
	return e, nil
}

// walshBound returns the rank k of the average that bounds the interval from below
// and the level 2 P(T+ <= k-1) that it achieves; k = 0 if there is no such average. As
// alpha < 1, that tail is under one half, so the interval is never upside down.
func walshBound(n int, alpha float64) (k int, level float64) {
	if n > exactLimit {
		return walshBoundNormal(n, alpha)
	}
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	return boundExact(signSumCounts(ranks), math.Ldexp(1, n), alpha)
}

// boundExact returns how many of the sums, from the smallest on, a two-sided test at level
// alpha rejects, and the level that it achieves: counts says how often each sum comes among
// total.
func boundExact(counts []float64, total, alpha float64) (k int, level float64) {
	tail := 0.0
	for k < len(counts) {
		next := 2 * (tail + counts[k]) / total
		if next > alpha*(1+alphaSlack) {
			break
		}
		tail += counts[k]
		level = next
		k++
	}
	return k, level
}

// boundNormal is boundExact for sums that are normally distributed, with a continuity
// correction.
func boundNormal(mean, sd, alpha float64) (k int, level float64) {
	k = int(math.Floor(mean + 0.5 + sd*normalQuantile(alpha/2)))
	if k < 1 {
		return 0, 0
	}
	return k, min(1, 2*normalCDF((float64(k)-0.5-mean)/sd))
}

// alphaSlack forgives the rounding of 1-conf, which would otherwise refuse a rank
// sum whose probability is exactly the level asked for (1-0.9375 and 2/32).
const alphaSlack = 1e-12

func walshBoundNormal(n int, alpha float64) (k int, level float64) {
	f := float64(n)
	return boundNormal(f*(f+1)/4, math.Sqrt(f*(f+1)*(2*f+1)/24), alpha)
}

// walshSelect returns the k-th smallest Walsh average, 1 <= k <= n(n+1)/2, of the
// sorted x: the first value that has k averages at or below it is an average, exactly.
func walshSelect(x []float64, k int) float64 {
	return firstFloat(x[0], x[len(x)-1], func(v float64) bool { return walshCount(x, v) >= k })
}

// firstFloat returns the first float64 from low to high for which reached holds, or else
// high. It bisects, in at most 64 steps: reached must hold from some value on.
func firstFloat(low, high float64, reached func(float64) bool) float64 {
	lo, hi := orderedBits(low), orderedBits(high)
	for lo < hi {
		mid := lo + (hi-lo)/2
		if reached(fromOrderedBits(mid)) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return fromOrderedBits(lo) + 0 // -0 becomes 0
}

// walshCount counts the averages of the sorted x that are at most v. As i rises,
// the last j with an average at most v falls: one pass.
func walshCount(x []float64, v float64) int {
	count, j := 0, len(x)-1
	for i := range x {
		for j >= i && mean2(x[i], x[j]) > v {
			j--
		}
		if j < i {
			break
		}
		count += j - i + 1
	}
	return count
}

// mean2 halves first: the sum of two large values would overflow.
func mean2(a, b float64) float64 { return a/2 + b/2 }

// orderedBits maps finite float64s to integers in the same order.
func orderedBits(f float64) uint64 {
	b := math.Float64bits(f)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

func fromOrderedBits(u uint64) float64 {
	if u>>63 == 1 {
		return math.Float64frombits(u &^ (1 << 63))
	}
	return math.Float64frombits(^u)
}
