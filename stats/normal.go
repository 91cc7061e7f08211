package stats

import "math"

// normalCDF is the distribution function of the standard normal distribution
// (Abramowitz & Stegun 1964, 26.2.29). Erfc keeps the far tail accurate.
func normalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// normalQuantile is the inverse of normalCDF, for 0 < p < 1. It bisects, because
// math.Erfcinv goes by way of 1-x and loses the tail: at p = 6e-16 it is wrong in the
// fourth digit, at 1e-17 infinite. At -39 the CDF is below the smallest float64.
func normalQuantile(p float64) float64 {
	if p > 0.5 {
		return -normalQuantile(1 - p)
	}
	lo, hi := -39.0, 0.0
	for {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			return hi
		}
		if normalCDF(mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
}

// NormalWidth is how many standard errors a normal variable exceeds, either way, with the probability alpha,
// 0 < alpha < 1: what StudentWidth comes to for many degrees of freedom.
func NormalWidth(alpha float64) float64 { return -normalQuantile(alpha / 2) }
