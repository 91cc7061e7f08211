package stats

import (
	"cmp"
	"fmt"
)

// BeyondResult says how many requests of two sides take longer than a threshold.
type BeyondResult struct {
	// Threshold is the quantile of both sides together. A and B are the shares of the requests beyond it, as means over
	// the slices.
	Threshold, A, B float64
	// Values has for each block by how much more of its pairs B has the larger share than A, -1 to 1.
	Values []float64
}

// Beyond compares the shares of requests beyond a common threshold, slice by slice: a[i][j] and b[i][j] are slices of
// block i that were taken one right after the other, as in QuantileRatio. A quantile of a side is moved by whatever the
// slowest slices saw, so that a machine that stands still a few times hides what a twentieth of the requests takes
// longer. Here such a slice moves its block by one pair, whatever its requests took, and however many of them.
//
// If both sides are alike, each value is as likely to have the other sign, since the threshold does not depend on which
// side is which: a test of signs (SequentialSignFlip) is exact.
func Beyond(a, b [][]Distribution, q float64) (r BeyondResult, err error) {
	if len(a) != len(b) || !(q > 0 && q < 1) {
		return r, fmt.Errorf("count requests beyond: %d and %d blocks, quantile %v", len(a), len(b), q)
	}
	var all []Distribution
	for i := range a {
		if len(a[i]) != len(b[i]) {
			return r, fmt.Errorf("count requests beyond: %d and %d slices in block %d", len(a[i]), len(b[i]), i)
		}
		all = append(append(all, a[i]...), b[i]...)
	}
	ok := false
	if r.Threshold, ok = Merge(all).Quantile(q); !ok {
		return r, fmt.Errorf("count requests beyond: there are none")
	}
	pairs := 0.0
	for i := range a {
		more := 0.0
		for j := range a[i] {
			x, y := shareBeyond(a[i][j], r.Threshold), shareBeyond(b[i][j], r.Threshold)
			r.A, r.B, pairs = r.A+x, r.B+y, pairs+1
			more += float64(cmp.Compare(y, x))
		}
		r.Values = append(r.Values, more/float64(max(1, len(a[i]))))
	}
	r.A, r.B = r.A/pairs, r.B/pairs
	return r, nil
}

// shareBeyond is the share of a distribution beyond a value; 0 of an empty one.
func shareBeyond(d Distribution, value float64) float64 {
	var n, of uint64
	for _, b := range d {
		if of += b.Count; b.Value > value {
			n += b.Count
		}
	}
	return float64(n) / float64(max(1, of))
}
