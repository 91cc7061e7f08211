package chain

import (
	"errors"
	"fmt"
	"math"

	"github.com/gohone/hone/stats"
)

// Link is the logarithm of a ratio with its variance: a measurement of two places, or what follows of several. The zero
// value says that both are the same, without an error.
type Link struct {
	Log, Variance float64
}

// Unknown is a link of which nothing was measured. Its standard error is a factor of 100,000: it excludes no change that a
// program may have, and has no weight beside an anchor.
var Unknown = Link{Variance: 11.5 * 11.5}

// Known says that a link says anything: no error of Unknown is in it.
func (l Link) Known() bool { return l.Variance < Unknown.Variance/2 }

// Interval is a ratio with the bounds of what it may be.
type Interval struct {
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// fewestDF are the degrees of freedom that an interval is taken to have, where fewer are worse: those of six starts,
// the fewest whose signs can show a difference.
const fewestDF = 5

// Errors turns intervals into standard errors, and standard errors into intervals at one level. It belongs to one
// goroutine: it remembers quantiles.
type Errors struct {
	// alpha is 1 less the confidence of the intervals that it makes.
	alpha float64
	// parts is by what part of half an interval at a confidence is one standard error.
	parts map[float64]float64
	// widths are quantiles by their level and degrees of freedom.
	widths map[[2]float64]float64
}

// NewErrors makes intervals at a confidence, such as 0.95.
func NewErrors(confidence float64) (*Errors, error) {
	if !(confidence > 0 && confidence < 1) {
		return nil, fmt.Errorf("confidence %v is outside 0 ... 1", confidence)
	}
	return &Errors{1 - confidence, map[float64]float64{}, map[[2]float64]float64{}}, nil
}

// Errors of Link.
var (
	errRatio    = errors.New("no ratio over 0 with an interval around it")
	errInterval = errors.New("an interval without a confidence between 0 and 1")
)

// Link is a ratio whose interval, low to high, has a confidence.
//
// Its standard error is half the interval's wider side by the quantile of the normal distribution. The interval comes
// from few starts, so that its half is a larger quantile times a smaller standard error: what this calls one is never too
// small, and the interval of a single link is what it was. Where the interval is asked for at a higher level than the
// link has, the tail is that of Student's t with five degrees of freedom.
func (e *Errors) Link(ratio, low, high, confidence float64) (Link, error) {
	if !(low > 0 && low <= ratio && ratio <= high) || math.IsInf(high, 0) {
		return Link{}, errRatio
	}
	log := math.Log(ratio)
	half := max(math.Log(high)-log, log-math.Log(low))
	if half == 0 { // a count: the same in each run
		return Link{Log: log}, nil
	}
	if !(confidence > 0 && confidence < 1) {
		return Link{}, errInterval
	}
	part, known := e.parts[confidence]
	if !known {
		level := 1 - confidence
		part = 1 / stats.NormalWidth(level)
		if e.alpha < level {
			part = stats.StudentWidth(e.alpha, fewestDF) / stats.StudentWidth(level, fewestDF) / stats.NormalWidth(e.alpha)
		}
		e.parts[confidence] = part
	}
	return Link{log, half * half * part * part}, nil
}

// Interval is what a link says, at the confidence of e.
func (e *Errors) Interval(l Link) Interval {
	half := e.width(e.alpha, fewestDF) * math.Sqrt(l.Variance)
	return Interval{exp(l.Log), exp(l.Log - half), exp(l.Log + half)}
}

// exp is a ratio that is a number and over 0, whatever was multiplied.
func exp(log float64) float64 {
	const most = 700 // e^709 is the largest
	return math.Exp(max(-most, min(log, most)))
}

// Pool is what several measurements of the same two places say together: their mean, weighted by the inverses of their
// variances. Where some have no error the others do not count.
func Pool(all []Link) Link {
	sum := all[0]
	for _, l := range all[1:] {
		w := 0.5
		if v := sum.Variance + l.Variance; v > 0 {
			w = l.Variance / v
		}
		sum.Log = w*sum.Log + (1-w)*l.Log
		sum.Variance = w*w*sum.Variance + (1-w)*(1-w)*l.Variance
	}
	return sum
}

// width is how many standard errors of Link are exceeded with the probability alpha, by an estimate with df degrees of
// freedom. At the level of e it is the quantile of the normal distribution, which Link divided by; beyond it grows as
// Student's t does. For one link of six starts at 0.1 % it is 5.2, not 3.3.
func (e *Errors) width(alpha, df float64) float64 {
	df = max(fewestDF, math.Floor(df))
	const many = 200 // a quantile beyond is that of the normal distribution within 1 %
	key := [2]float64{alpha, min(df, many)}
	w, known := e.widths[key]
	if !known {
		w = stats.NormalWidth(e.alpha)
		switch {
		case alpha == e.alpha:
		case df >= many:
			w = stats.NormalWidth(alpha)
		default:
			w *= stats.StudentWidth(alpha, int(df)) / stats.StudentWidth(e.alpha, int(df))
		}
		e.widths[key] = w
	}
	return w
}

// Confidence is that of the intervals.
func (e *Errors) Confidence() float64 { return 1 - e.alpha }
