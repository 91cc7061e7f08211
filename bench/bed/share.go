package bed

import (
	"fmt"
	"math"
)

// Share is so many of so many.
type Share struct {
	Of int `json:"of"`
	N  int `json:"n"`
}

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

// Upper is the one-sided 95 % upper limit of the probability: the one with which so few of N happen in 5 % of all cases
// (Clopper and Pearson 1934, "The use of confidence or fiducial limits illustrated in the case of the binomial",
// Biometrika 26).
func (s Share) Upper() float64 {
	if s.Of >= s.N {
		return 1
	}
	low, high := s.Value(), 1.0
	for range 60 { // halves, down to the last bit
		if p := (low + high) / 2; s.orFewer(p) > 0.05 {
			low = p
		} else {
			high = p
		}
	}
	return high
}

// orFewer is the probability of at most Of among N, each with the probability p, strictly between 0 and 1.
func (s Share) orFewer(p float64) (sum float64) {
	factorial := func(k int) float64 { l, _ := math.Lgamma(float64(k + 1)); return l }
	for k := range s.Of + 1 {
		sum += math.Exp(factorial(s.N) - factorial(k) - factorial(s.N-k) + float64(k)*math.Log(p) +
			float64(s.N-k)*math.Log1p(-p))
	}
	return sum
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

// Goal claims a share, and what it is to keep to. If nothing was measured the claim is not in the result.
func (r *Result) Goal(what string, s Share, bound Bound, limit float64) *Claim {
	if s.N == 0 {
		return &Claim{}
	}
	return r.Share(what, s).Want(fmt.Sprintf("%s %.3g %%", bound, 100*limit),
		bound == AtMost && s.Value() <= limit || bound == AtLeast && s.Value() >= limit)
}

// Share claims a share.
func (r *Result) Share(what string, s Share) *Claim {
	c := r.Claim(what, "%s", s)
	c.Share = &s
	return c
}
