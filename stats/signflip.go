package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// signFlipLimit is the largest sample whose 2^n sign patterns are all tried: about
// a million sums, some milliseconds.
const signFlipLimit = 20

// SignFlipResult is the outcome of a sign-flip test.
type SignFlipResult struct {
	// N is the number of values, Mean their mean.
	N    int
	Mean float64
	// P is the two-sided p-value.
	P float64
	// Exact says that all sign patterns were tried; otherwise Rounds were drawn.
	Exact  bool
	Rounds int
}

// SignFlip is the two-sided randomisation test of the mean of d (Fisher 1935, "The
// Design of Experiments", section 21; Pitman 1937): if A and B do not differ, the
// sign of each difference is a coin toss, so the p-value is the share of the 2^n sign
// patterns whose mean is at least as far from 0 as the one seen. Unlike SignedRank it
// weighs how large the differences are, and it assumes no more.
//
// Up to 20 values all patterns are tried, and rounds and rng are not used. Beyond,
// rounds patterns (at least 1; 9,999 tells 0.05 from 0.045) are drawn from rng, and
// p = (1+hits)/(1+rounds), which counts the pattern seen and so is never 0 and never
// too small on average (Davison & Hinkley 1997, "Bootstrap Methods and their
// Application", equation 4.11; Phipson & Smyth 2010).
func SignFlip(d []float64, rounds int, rng *rand.Rand) (SignFlipResult, error) {
	if err := checkFinite("d", d); err != nil {
		return SignFlipResult{}, fmt.Errorf("flip signs: %w", err)
	}
	res := SignFlipResult{N: len(d), Exact: len(d) <= signFlipLimit}
	if !res.Exact && (rounds < 1 || rng == nil) {
		return SignFlipResult{}, fmt.Errorf(
			"flip signs: more than %d values need a generator and at least 1 round, have %d rounds", signFlipLimit, rounds)
	}
	largest := 0.0
	for _, v := range d {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 {
		res.P = 1
		return res, nil
	}
	x, sum := scaled(d, largest)
	res.Mean = sum / float64(len(x)) * largest
	// The sum of the same numbers in another grouping may differ in its last bits.
	// Patterns that close to the one seen count as equal to it, which errs towards
	// the larger p.
	limit := math.Abs(sum) - float64(len(x)*len(x))*0x1p-52
	if res.Exact {
		// A pattern and its opposite are equally far from 0: fix the first sign.
		hits := countFlips(x[1:], x[0], limit)
		res.P = math.Ldexp(float64(hits), 1-len(x))
		return res, nil
	}
	res.Rounds = rounds
	hits := 0
	for range rounds {
		if math.Abs(drawFlip(x, rng)) >= limit {
			hits++
		}
	}
	res.P = float64(1+hits) / float64(1+rounds)
	return res, nil
}

// scaled divides by the largest magnitude, so that no sum overflows and the
// tolerance of comparisons has a scale.
func scaled(d []float64, largest float64) (x []float64, sum float64) {
	x = make([]float64, len(d))
	for i, v := range d {
		x[i] = v / largest
		sum += x[i]
	}
	return x, sum
}

// countFlips counts the sign patterns of x whose sum, with sum added, is at least
// limit away from 0.
func countFlips(x []float64, sum, limit float64) int {
	if len(x) == 0 {
		if math.Abs(sum) >= limit {
			return 1
		}
		return 0
	}
	return countFlips(x[1:], sum+x[0], limit) + countFlips(x[1:], sum-x[0], limit)
}

// drawFlip returns the sum of x under random signs, one random bit each.
func drawFlip(x []float64, rng *rand.Rand) float64 {
	sum := 0.0
	var bits uint64
	for i, v := range x {
		if i%64 == 0 {
			bits = rng.Uint64()
		}
		if bits&1 == 1 {
			v = -v
		}
		bits >>= 1
		sum += v
	}
	return sum
}
