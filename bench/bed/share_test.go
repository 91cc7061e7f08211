package bed

import (
	"math"
	"testing"
)

// Newcombe 1998, "Two-sided confidence intervals for the single proportion: comparison of
// seven methods", Statistics in Medicine 17, table I, method 3 (Wilson, without
// continuity correction).
func TestWilsonAgreesWithNewcombe(t *testing.T) {
	for _, c := range []struct {
		s         Share
		low, high float64
	}{
		{Share{81, 263}, 0.2553, 0.3662},
		{Share{15, 148}, 0.0624, 0.1605},
		{Share{0, 20}, 0, 0.1611},
		{Share{1, 29}, 0.0061, 0.1718},
	} {
		low, high := c.s.Wilson()
		if math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%d of %d: %.4f ... %.4f, want %.4f ... %.4f", c.s.Of, c.s.N, low, high, c.low, c.high)
		}
		mirrorLow, mirrorHigh := Share{c.s.N - c.s.Of, c.s.N}.Wilson()
		if math.Abs(mirrorLow-(1-high)) > 1e-12 || math.Abs(mirrorHigh-(1-low)) > 1e-12 {
			t.Errorf("%d of %d: not the mirror of its complement", c.s.Of, c.s.N)
		}
	}
}

func TestNoneOfNoneSaysNothing(t *testing.T) {
	if low, high := (Share{}).Wilson(); low != 0 || high != 1 {
		t.Errorf("%v ... %v", low, high)
	}
	if got := (Share{}).String(); got != "-" {
		t.Errorf("%q", got)
	}
	if got := (Share{3, 200}).String(); got != "3 of 200, 1.5 % (0.5 ... 4.3)" {
		t.Errorf("%q", got)
	}
}

// The limits by exact binomial coefficients (Python, math.comb): 1 - 0.05^(1/n) where there is none.
func TestUpper(t *testing.T) {
	for _, c := range []struct {
		of, n int
		want  float64
	}{{0, 600, 0.0049804}, {1, 600, 0.0078818}, {3, 10, 0.6066242}, {10, 10, 1}} {
		if got := (Share{c.of, c.n}).Upper(); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%d of %d: %.7f, want %.7f", c.of, c.n, got, c.want)
		}
	}
}
