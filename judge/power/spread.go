package power

import (
	"math"

	"github.com/gohone/hone/judge"
)

// Spread is how the changes of a measure scatter, as variances of natural log ratios: within is
// that of a pair around its start, between that of a start beyond what its pairs explain.
// size is how far the change of a start lies from none on average, whatever its direction.
func Spread(m judge.Measure, blocks []judge.Block) (within, between, size float64, err error) {
	c, err := judge.ChangesOf(m, blocks)
	if err != nil {
		return 0, 0, 0, err
	}
	mean := 0.0
	for i := range c.Values {
		mean += c.Noise[i] / float64(len(c.Values))
		size += math.Abs(c.Values[i]) / float64(len(c.Values))
	}
	return c.Within, max(0, scatter(c.Values)-mean), size, nil
}

// scatter is the variance of values by their distances from 0 alone: a plan that depended on the direction of the
// changes so far would spoil the exactness of the test. Where there is no change it is the mean square. Where there is
// one that would be too much, and the variance of the distances is right; about 0 that is 1 - 2/pi of it (normal
// values, folded), so the smaller of the two is at most 2.8 times too large.
func scatter(values []float64) float64 {
	n := float64(len(values))
	mean, squares := 0.0, 0.0
	for _, v := range values {
		mean += math.Abs(v) / n
		squares += v * v / n
	}
	return min(squares, max(0, squares-mean*mean)/(1-2/math.Pi))
}
