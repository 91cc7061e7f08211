package stats

import (
	"fmt"
	"math"
)

// MeanShift estimates by how much the mean of b lies above that of a, with the interval of
// Student's t and the variance of both samples together (Student 1908, "The probable error of a
// mean", Biometrika 6(1); the same as t.test(b, a, var.equal = TRUE) of R). Of logarithms it is
// the log of a ratio. It is for few values: ranks of three and four values bound no interval of
// 95 %, whatever they are, and the price is that the scatter is taken for normal.
//
// P is the two-sided p-value of no shift, StdErr the standard error of the shift. Each sample
// needs two values, and 0 < conf < 1.
func MeanShift(a, b []float64, conf float64) (MeanShiftResult, error) {
	if err := checkTwo(a, b); err != nil {
		return MeanShiftResult{}, fmt.Errorf("estimate shift of means: %w", err)
	}
	if min(len(a), len(b)) < 2 {
		return MeanShiftResult{}, fmt.Errorf("estimate shift of means: %d and %d values, want two of each", len(a),
			len(b))
	}
	if !(conf > 0 && conf < 1) {
		return MeanShiftResult{}, fmt.Errorf("estimate shift of means: confidence %v is outside 0 ... 1", conf)
	}
	meanA, squaresA := moments(a)
	meanB, squaresB := moments(b)
	df := len(a) + len(b) - 2
	r := MeanShiftResult{StdErr: math.Sqrt((squaresA + squaresB) / float64(df) * (1/float64(len(a)) +
		1/float64(len(b))))}
	r.Value, r.Conf, r.P = meanB-meanA, conf, 1
	half := -studentQuantile((1-conf)/2, df) * r.StdErr
	r.Low, r.High = r.Value-half, r.Value+half
	switch {
	case r.StdErr > 0:
		r.P = 2 * studentCDF(-math.Abs(r.Value)/r.StdErr, df)
	case r.Value != 0:
		r.P = 0
	}
	return r, nil
}

// MeanShiftResult is an estimate with its standard error and test.
type MeanShiftResult struct {
	Estimate
	StdErr float64
	P      float64
}

// moments are the mean and the sum of squared distances from it.
func moments(x []float64) (mean, squares float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return mean, squares
}

// StudentWidth is how many standard errors Student's t with df degrees of freedom, at least 1,
// exceeds, either way, with the probability alpha, 0 < alpha < 1.
func StudentWidth(alpha float64, df int) float64 { return -studentQuantile(alpha/2, df) }

// StudentP is the probability that Student's t with df degrees of freedom, at least 1, is as far
// from 0 as t, either way.
func StudentP(t float64, df int) float64 { return 2 * studentCDF(-math.Abs(t), df) }
