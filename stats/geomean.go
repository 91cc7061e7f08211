package stats

import "math"

// GeoMean returns the geometric mean of x, exp(mean(log x)), which is the average
// to use for ratios: the mean of 2 and 1/2 is 1 (Fleming & Wallace 1986, "How not
// to lie with statistics", CACM 29(3)).
//
// The values have to be positive and finite; an error names the index of the first
// that is not.
func GeoMean(x []float64) (float64, error) {
	if err := checkPositive("x", x); err != nil {
		return 0, err
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(x))), nil
}
