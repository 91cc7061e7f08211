// Package figures holds what benchmarks make of their rounds: turns in random order,
// medians, ratios with intervals, and how they are written.
package figures

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/stats"
)

// Confidence of all intervals.
const Confidence = 0.95

// InTurns calls do for 0 to n-1 in every round, in random order.
func InTurns(rounds, n int, do func(round, i int) error) error {
	for round := range rounds {
		for _, i := range rand.Perm(n) {
			if err := do(round, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// Sampled takes a sample of each of 0 to n-1 in every round, in random order, and returns them
// by number, then by round.
func Sampled[T any](rounds, n int, take func(round, i int) (T, error)) ([][]T, error) {
	samples := make([][]T, n)
	err := InTurns(rounds, n, func(round, i int) error {
		s, err := take(round, i)
		samples[i] = append(samples[i], s)
		return err
	})
	return samples, err
}

// Column is one figure of each sample.
func Column[T any](samples []T, of func(T) float64) []float64 {
	x := make([]float64, len(samples))
	for i, s := range samples {
		x[i] = of(s)
	}
	return x
}

// Median is the middle of x, or the mean of the two in the middle; NaN if x is empty.
func Median(x []float64) float64 {
	m, err := stats.Median(x)
	if err != nil {
		return math.NaN()
	}
	return m
}

// Spread prints the median of x, its least and its greatest value, each by format.
func Spread(format string, x []float64) string {
	if len(x) == 0 {
		return "-"
	}
	return fmt.Sprintf(format+" ("+format+" .. "+format+")", Median(x), slices.Min(x), slices.Max(x))
}

// Ratio is a positive figure, mostly one relative to another, with its interval. Low and
// High are 0 where there is none: it takes six rounds.
type Ratio struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low,omitempty"`
	High  float64 `json:"high,omitempty"`
}

// Bounded says whether there is an interval.
func (r Ratio) Bounded() bool { return r.High > 0 }

// Has says whether x is in the interval.
func (r Ratio) Has(x float64) bool { return r.Low <= x && x <= r.High }

// String has as many decimals as give Value three digits.
func (r Ratio) String() string {
	if r.Value == 0 {
		return ""
	}
	if !r.Bounded() {
		return Number(r.Value, r.Value)
	}
	return fmt.Sprintf("%s (%s to %s)", Number(r.Value, r.Value), Number(r.Low, r.Value), Number(r.High, r.Value))
}

// Paired is b relative to a, which were taken in the same rounds: the centre of the rounds'
// ratios (stats.HodgesLehmann of their logarithms: on that scale 2 is as far from 1 as 1/2).
func Paired(a, b []float64) (Ratio, error) {
	logs, err := stats.LogRatios(a, b)
	if err != nil {
		return Ratio{}, err
	}
	e, err := stats.HodgesLehmann(logs, Confidence)
	if err != nil {
		return Ratio{}, err
	}
	r := Ratio{Value: math.Exp(e.Value)}
	if e.Bounded() {
		r.Low, r.High = math.Exp(e.Low), math.Exp(e.High)
	}
	return r, nil
}

// Centre is the centre of positive values, one a round.
func Centre(values []float64) (Ratio, error) {
	return Paired(slices.Repeat([]float64{1}, len(values)), values)
}

// Number prints x with the decimals that give like three digits.
func Number(x, like float64) string {
	decimals := 0
	if like > 0 {
		decimals = min(max(2-int(math.Floor(math.Log10(like))), 0), 6)
	}
	return fmt.Sprintf("%.*f", decimals, x)
}

// Rounded is x with three digits, and commas between thousands.
func Rounded(x float64) string {
	if x < 1000 {
		return Number(x, math.Abs(x))
	}
	step := math.Pow(10, math.Floor(math.Log10(x))-2)
	return units.Count(uint64(math.Round(x/step) * step))
}
