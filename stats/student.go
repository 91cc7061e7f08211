package stats

import "math"

// studentCDF is the distribution function of Student's t with df degrees of freedom, a
// whole number of at least 1, by the finite series for whole numbers (Abramowitz &
// Stegun 1964, 26.7.3 and 26.7.4).
//
// Far out in the lower tail, where the series would subtract almost equal numbers, it is
// the expansion of the incomplete beta function that converges there (26.5.4 with 26.7.1).
func studentCDF(t float64, df int) float64 {
	switch {
	case t > 0:
		return 1 - studentCDF(-t, df)
	case t == 0:
		return 0.5
	}
	nu := float64(df)
	if x := nu / (nu + t*t); x < 0.7 || t < -4 {
		return studentTail(x, nu)
	}
	theta := math.Atan(-t / math.Sqrt(nu))
	sin, cos := math.Sin(theta), math.Cos(theta)
	first, term, sum := 1, 1.0, 1.0 // even df: 1 + cos^2/2 + 1*3/(2*4) cos^4 + ...
	if df%2 == 1 {                  // odd df: cos + 2/3 cos^3 + 2*4/(3*5) cos^5 + ...
		first, term, sum = 2, cos, cos
	}
	terms := df/2 - 1
	if df == 1 {
		sum = 0
	} else if df%2 == 1 {
		terms = (df - 3) / 2
	}
	for i := range terms {
		k := float64(first + 2*i)
		term *= k / (k + 1) * cos * cos
		sum += term
	}
	if df%2 == 1 {
		return 0.5 - (theta+sin*sum)/math.Pi
	}
	return 0.5 - sin*sum/2
}

// studentTail is half the regularised incomplete beta function I_x(nu/2, 1/2), all of
// whose terms are positive.
func studentTail(x, nu float64) float64 {
	a := nu / 2
	lgA, _ := math.Lgamma(a)
	lgAHalf, _ := math.Lgamma(a + 0.5)
	front := math.Exp(a*math.Log(x)+lgAHalf-lgA) * math.Sqrt((1-x)/math.Pi) / a
	term, sum := 1.0, 1.0
	for k := 0.0; term > sum*0x1p-54; k++ {
		term *= (a + 0.5 + k) / (a + 1 + k) * x
		sum += term
	}
	return front * sum / 2
}

// studentQuantile is the inverse of studentCDF for 0 < p < 1.
func studentQuantile(p float64, df int) float64 {
	if p > 0.5 {
		return -studentQuantile(1-p, df)
	}
	return firstFloat(-math.MaxFloat64, 0, func(v float64) bool { return studentCDF(v, df) >= p })
}
