package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
)

// class is one bar of a histogram: values of low <= v < high nanoseconds.
type class struct {
	low, high float64
	count     int64
}

const (
	// bodyClasses cover the values from p1 to p90, up to tailClasses the rest above: the
	// many are seen in detail though the few are far away.
	bodyClasses = 6
	tailClasses = 5
	// tailRatio is what the borders of a tail class are apart at least.
	tailRatio = 1.5
	barWidth  = 44
)

// classes divides the values into about a dozen classes with round borders: of equal
// ratio from p1 to p90, and wider ones beyond. It returns nil for no values.
func classes(h *hdrhistogram.Histogram) []class {
	if h == nil || h.TotalCount() == 0 {
		return nil
	}
	low, high := math.Max(1, float64(h.Min())), math.Max(1, float64(h.Max()))
	p1 := math.Max(low, float64(h.ValueAtQuantile(1)))
	p90 := math.Max(p1, float64(h.ValueAtQuantile(90)))
	var borders []float64
	spread := func(from, to float64, n int) {
		for i := range n + 1 {
			borders = append(borders, round2(from*math.Pow(to/from, float64(i)/float64(n))))
		}
	}
	spread(p1, p90, bodyClasses)
	if p1 > 1.1*low {
		spread(low, p1, 1)
	}
	if high > 1.1*p90 {
		spread(p90, high, min(tailClasses, int(math.Ceil(math.Log(high/p90)/math.Log(tailRatio)))))
	}
	slices.Sort(borders)
	borders = slices.Compact(borders)
	// Rounding must not push the ends inside.
	if borders[0] > low {
		borders[0] = floor2(low)
	}
	if last := len(borders) - 1; last == 0 || borders[last] <= high {
		borders = append(borders, math.Ceil(floor2(high)+math.Max(1, step2(high))))
	}
	out := make([]class, len(borders)-1)
	for i := range out {
		out[i] = class{low: borders[i], high: borders[i+1]}
	}
	at := 0
	for _, bar := range load.Bars(h) {
		for at < len(out)-1 && float64(bar.From) >= out[at].high {
			at++
		}
		out[at].count += bar.Count
	}
	// The last cell of the histogram may reach into a class beyond the last value.
	for len(out) > 1 && out[len(out)-1].count == 0 {
		out = out[:len(out)-1]
	}
	return out
}

// step2 is one in the second digit of v.
func step2(v float64) float64 { return math.Pow(10, math.Floor(math.Log10(v))-1) }

// round2 and floor2 leave two digits of v, which is a whole number of nanoseconds: so is
// the result, and equal borders are equal.
func round2(v float64) float64 { return math.Round(math.Round(v/step2(v)) * step2(v)) }
func floor2(v float64) float64 { return math.Floor(math.Floor(v/step2(v)) * step2(v)) }

// bars draws classes as text.
func bars(name string, all []class) string {
	if len(all) == 0 {
		return ""
	}
	var most, total int64
	for _, c := range all {
		most, total = max(most, c.count), total+c.count
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s, number of requests from ... to below\n", name)
	for _, c := range all {
		length := int(math.Round(barWidth * float64(c.count) / float64(most)))
		bar := strings.Repeat("#", length)
		if length == 0 && c.count > 0 {
			bar = "." // few, but not none
		}
		fmt.Fprintf(b, "%8s ... %-8s |%-*s %13s  %5.1f %%\n", units.Nanos(c.low), units.Nanos(c.high), barWidth, bar,
			units.Count(uint64(c.count)), 100*float64(c.count)/float64(total))
	}
	return b.String()
}
