package bed

import (
	"fmt"
	"math"
)

// Share is so many of so many.
type Share struct{ Of, N int }

// Value is the share as a fraction; NaN for none of none.
func (s Share) Value() float64 { return float64(s.Of) / float64(s.N) }

// z95 is the 97.5 % quantile of the normal distribution.
const z95 = 1.959963984540054

// Wilson is the 95 % interval of the probability behind a share: Wilson 1927, "Probable
// inference, the law of succession, and statistical inference", J. Am. Stat. Assoc. 22,
// without continuity correction. It is 0 ... 1 for none of none.
func (s Share) Wilson() (low, high float64) {
	if s.N == 0 {
		return 0, 1
	}
	n, p, z2 := float64(s.N), s.Value(), z95*z95
	middle := (p + z2/(2*n)) / (1 + z2/n)
	half := z95 / (1 + z2/n) * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	low, high = middle-half, middle+half
	if s.Of == 0 {
		low = 0 // exactly, where rounding leaves a trace
	}
	if s.Of == s.N {
		high = 1
	}
	return low, high
}

// String is the share with its interval: "3 of 200, 1.5 % (0.5 ... 4.3)".
func (s Share) String() string {
	if s.N == 0 {
		return "-"
	}
	low, high := s.Wilson()
	return fmt.Sprintf("%d of %d, %.1f %% (%.1f ... %.1f)", s.Of, s.N, 100*s.Value(), 100*low, 100*high)
}

// Add counts one more.
func (s *Share) Add(is bool) {
	s.N++
	if is {
		s.Of++
	}
}

// Bound is how a goal bounds a share.
type Bound string

// The bounds.
const (
	AtMost  Bound = "at most"
	AtLeast Bound = "at least"
)

// Goal claims a share and says whether it keeps to its goal. It claims nothing if nothing was measured.
func (r *Result) Goal(what string, s Share, bound Bound, limit float64) {
	if s.N == 0 {
		return
	}
	word := "missed"
	if (bound == AtMost && s.Value() <= limit) || (bound == AtLeast && s.Value() >= limit) {
		word = "held"
	}
	r.Claim(what, "%s; goal %s %g %%: %s", s, bound, 100*limit, word)
}
