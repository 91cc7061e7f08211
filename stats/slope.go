package stats

import (
	"errors"
	"math"
)

// SlopeResult is a line through points: y rises by Value where x rises by 1, with an interval of confidence Conf.
type SlopeResult struct {
	Value, Low, High, Conf float64
}

// Slope fits a line y = a + b x to points by least squares, and returns b with the interval of Student's t on len(x) -
// 2 degrees of freedom. The interval is right for errors that are independent and normal. It takes three points with
// two different x at least. As lm and confint in R (Chambers, Statistical Models in S, 1992, chapter 4).
func Slope(x, y []float64, conf float64) (SlopeResult, error) {
	n := float64(len(x))
	if len(x) != len(y) || len(x) < 3 {
		return SlopeResult{}, errors.New("stats: a line takes three points at least")
	}
	var meanX, meanY float64
	for i := range x {
		meanX, meanY = meanX+x[i]/n, meanY+y[i]/n
	}
	var xx, xy float64
	for i := range x {
		xx += (x[i] - meanX) * (x[i] - meanX)
		xy += (x[i] - meanX) * (y[i] - meanY)
	}
	if xx == 0 {
		return SlopeResult{}, errors.New("stats: all points of a line have one x")
	}
	b := xy / xx
	var residual float64
	for i := range x {
		e := y[i] - meanY - b*(x[i]-meanX)
		residual += e * e
	}
	half := StudentWidth(1-conf, len(x)-2) * math.Sqrt(residual/(n-2)/xx)
	return SlopeResult{Value: b, Low: b - half, High: b + half, Conf: conf}, nil
}
