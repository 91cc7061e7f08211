package stats

import (
	"fmt"
	"math"
)

// LogRatios returns log(b[i]/a[i]): the differences of a paired comparison on the
// scale on which a factor of 2 and a factor of 1/2 are equally far from no change.
// exp of an average or median of them is a ratio again, B relative to A.
//
// The slices need the same length, at least 1, and positive finite values; an
// error names the index of the first value that is not.
func LogRatios(a, b []float64) ([]float64, error) {
	if len(a) != len(b) {
		return nil, fmt.Errorf("pair values: a has %d and b has %d, want as many", len(a), len(b))
	}
	if err := checkPositive("a", a); err != nil {
		return nil, err
	}
	if err := checkPositive("b", b); err != nil {
		return nil, err
	}
	d := make([]float64, len(a))
	for i := range a {
		// Equal values have to give exactly 0, which has no sign, and
		// the quotient does. The difference of logarithms takes over where the
		// quotient would overflow or lose digits.
		if q := b[i] / a[i]; q >= smallestNormal && q <= math.MaxFloat64 {
			d[i] = math.Log(q)
		} else {
			d[i] = math.Log(b[i]) - math.Log(a[i])
		}
	}
	return d, nil
}

// smallestNormal is the smallest positive float64 with all 53 bits of precision.
const smallestNormal = 0x1p-1022
