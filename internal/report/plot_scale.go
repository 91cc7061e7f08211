package report

import (
	"math"
	"strconv"

	"github.com/gohone/hone/internal/units"
)

// scale maps values to the length of an axis, 0 to 1, and marks it.
type scale struct {
	low, high float64
	log       bool
	// nines says that values are 1/(1-p): the marks are the usual percentiles.
	nines bool
	// label writes a mark.
	label func(float64) string
}

// at is where v lies; values beyond the ends are put on them.
func (s scale) at(v float64) float64 {
	low, high := s.low, s.high
	if s.log {
		low, high, v = math.Log(low), math.Log(high), math.Log(math.Max(v, s.low))
	}
	if high <= low {
		return 0
	}
	return math.Min(1, math.Max(0, (v-low)/(high-low)))
}

// mark is a labelled place on an axis: of its length, 0 to 1, or in pixels where it is drawn.
type mark struct {
	At   float64
	Text string
}

// marks divides the axis into at most about most parts with round borders.
func (s scale) marks(most int) []mark {
	var out []mark
	add := func(v float64) {
		if v >= s.low*(1-1e-9) && v <= s.high*(1+1e-9) {
			out = append(out, mark{s.at(v), s.label(v)})
		}
	}
	if s.nines {
		between := []float64{1, 2, 4, 10, 20}
		if s.high > math.Pow(10, float64(most)/1.6) {
			between = []float64{1, 10}
		}
		for _, v := range between {
			add(v)
		}
		for v := 100.0; v <= s.high; v *= 10 {
			add(v)
		}
		return out
	}
	if !s.log {
		step := niceStep((s.high - s.low) / float64(most))
		for k := math.Ceil(s.low / step); k*step <= s.high*(1+1e-9) && len(out) <= most+1; k++ {
			add(k * step)
		}
		return out
	}
	first, last := math.Floor(math.Log10(s.low)), math.Ceil(math.Log10(s.high))
	every := math.Max(1, math.Ceil((last-first)/float64(most)))
	digits := []float64{1}
	switch decades := math.Log10(s.high / s.low); {
	case decades*9 <= float64(most)+2:
		digits = []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	case decades*3 <= float64(most)+2:
		digits = []float64{1, 2, 5}
	}
	for e := first; e <= last; e += every {
		for _, d := range digits {
			add(d * math.Pow(10, e))
		}
	}
	return out
}

// niceStep is the next 1, 2 or 5 times a power of ten from v up.
func niceStep(v float64) float64 {
	if v <= 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 1
	}
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, d := range []float64{1, 2, 5} {
		if v <= d*p*(1+1e-9) {
			return d * p
		}
	}
	return 10 * p
}

// latencyScale holds nanoseconds from low to high: on a logarithmic axis if they are far
// apart, else from zero.
func latencyScale(low, high float64) scale {
	low, high = math.Max(1, low), math.Max(1, high)
	if high/low > 20 {
		return scale{low: math.Pow(10, math.Floor(math.Log10(low))), high: high * 1.15, log: true, label: axisNanos}
	}
	return scale{low: 0, high: high * 1.1, label: axisNanos}
}

// axisNanos writes a round number of nanoseconds.
func axisNanos(v float64) string {
	u := units.Nanoseconds.Pick(v)
	return axisNumber(v/u.Scale) + " " + u.Name
}

func axisNumber(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// axisRate writes a round number per second.
func axisRate(v float64) string {
	switch {
	case v >= 1e6:
		return axisNumber(v/1e6) + "M/s"
	case v >= 1e4:
		return axisNumber(v/1e3) + "k/s"
	default:
		return axisNumber(v) + "/s"
	}
}

// axisSeconds writes a moment.
func axisSeconds(v float64) string { return axisNumber(v) + " s" }

// axisPercentile writes 1/(1-p) as p: 1000 is 99.9 %.
func axisPercentile(v float64) string {
	return strconv.FormatFloat(100-100/v, 'g', 10, 64) + " %"
}
