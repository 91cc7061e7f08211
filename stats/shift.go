package stats

import (
	"fmt"
	"math"
	"slices"
)

// Shift estimates by how much b lies above a: the median of all differences b[j]-a[i]
// (Hodges & Lehmann 1963, "Estimates of location based on rank tests", Annals of
// Mathematical Statistics 34(2)). Of logarithms it is the log of a ratio.
//
// The interval holds all shifts that the two-sided test MannWhitney does not reject at
// level 1-conf, 0 < conf < 1 (Moses 1953; Hollander & Wolfe 1999, sections 4.2 and 4.3): of
// the M = len(a)*len(b) differences, it runs from the k-th smallest to the k-th largest,
// k-1 being the largest u with 2 P(U <= u) <= 1-conf. U is exact with up to 50 values on
// each side, and approximated by a normal distribution with continuity correction beyond.
// Bounds belong to the interval, so that ties can only widen what it covers. It is infinite
// where the samples are too small for the level.
//
// Differences are selected by counting, in O(n) memory and O(n log n) time, and never
// listed.
func Shift(a, b []float64, conf float64) (Estimate, error) {
	if err := checkTwo(a, b); err != nil {
		return Estimate{}, fmt.Errorf("estimate shift: %w", err)
	}
	if !(conf > 0 && conf < 1) {
		return Estimate{}, fmt.Errorf("estimate shift: confidence %v is outside 0 ... 1", conf)
	}
	x, y := slices.Clone(a), slices.Clone(b)
	slices.Sort(x)
	slices.Sort(y)
	if gap := y[len(y)-1] - x[0]; math.IsInf(gap, 0) || math.IsInf(y[0]-x[len(x)-1], 0) {
		return Estimate{}, fmt.Errorf("estimate shift: a difference of two values exceeds the largest float64")
	}
	m := len(x) * len(y)
	e := Estimate{
		Value: mean2(gapSelect(x, y, (m+1)/2), gapSelect(x, y, m/2+1)),
		Low:   math.Inf(-1), High: math.Inf(1), Conf: 1,
	}
	if k, level := gapBound(len(x), len(y), 1-conf); k > 0 {
		e.Low, e.High, e.Conf = gapSelect(x, y, k), gapSelect(x, y, m+1-k), 1-level
	}
	return e, nil
}

// gapBound returns the rank k of the difference that bounds the interval from below and
// the level 2 P(U <= k-1) that it achieves; k = 0 if there is no such difference.
func gapBound(na, nb int, alpha float64) (k int, level float64) {
	if max(na, nb) > exactTwoSample {
		m, n := float64(na), float64(nb)
		return boundNormal(m*n/2, math.Sqrt(m*n*(m+n+1)/12), alpha)
	}
	ranks := make([]int, na+nb)
	for i := range ranks {
		ranks[i] = i + 1
	}
	counts := choiceSumCounts(ranks, nb)[nb*(nb+1)/2:] // from U = 0 on
	total := 0.0
	for _, c := range counts {
		total += c
	}
	return boundExact(counts, total, alpha)
}

// gapSelect returns the k-th smallest difference y[j]-x[i], 1 <= k <= len(x)*len(y), of
// the sorted x and y.
func gapSelect(x, y []float64, k int) float64 {
	return firstFloat(y[0]-x[len(x)-1], y[len(y)-1]-x[0], func(v float64) bool { return gapCount(x, y, v) >= k })
}

// gapCount counts the differences that are at most v. As x rises, so does the number of
// y with a difference at most v: one pass.
func gapCount(x, y []float64, v float64) int {
	count, j := 0, 0
	for _, from := range x {
		for j < len(y) && y[j]-from <= v {
			j++
		}
		count += j
	}
	return count
}
