package main

import (
	"fmt"
	"math"

	"github.com/gohone/hone/stats"
)

// confidence of the intervals.
const confidence = 0.95

// estimate is a positive figure with its interval.
type estimate struct {
	Value float64 `json:"value"`
	// Low and High are nil where the rounds are too few for an interval.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// estimateOf estimates the middle of positive values, one a round, on the scale of their
// logarithms: on it a ratio of 2 is as far from 1 as a ratio of 1/2.
func estimateOf(values []float64) (estimate, error) {
	ones := make([]float64, len(values))
	for i := range ones {
		ones[i] = 1
	}
	logs, err := stats.LogRatios(ones, values)
	if err != nil {
		return estimate{}, err
	}
	h, err := stats.HodgesLehmann(logs, confidence)
	if err != nil {
		return estimate{}, err
	}
	e := estimate{Value: math.Exp(h.Value)}
	if !math.IsInf(h.Low, 0) && !math.IsInf(h.High, 0) {
		low, high := math.Exp(h.Low), math.Exp(h.High)
		e.Low, e.High = &low, &high
	}
	return e, nil
}

// ratios are x over y, round by round.
func ratios(x, y []float64) []float64 {
	r := make([]float64, min(len(x), len(y)))
	for i := range r {
		r[i] = x[i] / y[i]
	}
	return r
}

// String prints three digits, and the interval if there is one.
func (e estimate) String() string {
	if e.Low == nil {
		return digits(e.Value)
	}
	return fmt.Sprintf("%s (%s .. %s)", digits(e.Value), digits(*e.Low), digits(*e.High))
}

// digits prints x with at least three digits, and no exponent.
func digits(x float64) string {
	switch a := math.Abs(x); {
	case a >= 100:
		return fmt.Sprintf("%.0f", x)
	case a >= 10:
		return fmt.Sprintf("%.1f", x)
	case a > 0 && a < 1:
		return fmt.Sprintf("%.3f", x)
	default:
		return fmt.Sprintf("%.2f", x)
	}
}
