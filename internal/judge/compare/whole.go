package compare

import (
	"math"

	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof/diff"
)

// Whole is what a verdict says to the profiles that explain it: the cost of A, that of B by
// the estimate from pairs, and its standard error, as of a normal distribution with the
// same interval. ok is false without an interval.
func Whole(v judge.Verdict) (w diff.Whole, ok bool) {
	if !(v.Low > 0) || math.IsInf(v.High, 1) || !(v.Conf > 0 && v.Conf < 1) || !(v.A > 0 && v.B > 0) {
		return w, false
	}
	wide := math.Sqrt2 * math.Erfinv(v.Conf)
	return diff.Whole{A: v.A, B: v.B, StdErr: v.A * (v.High - v.Low) / 2 / wide}, true
}
