package page

import (
	"cmp"
	"fmt"
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/load"
)

// distribution is what one slice counted: bars in ascending order, nil for a slice without a histogram.
type distribution []hdrhistogram.Bar

// histogramsOf unpacks the histograms of slices, one for each slice. Its error names the first that is damaged; such
// slices count nothing.
func histogramsOf(all []packed.Slice) (out []distribution, first error) {
	out = make([]distribution, len(all))
	for i, s := range all {
		h, err := s.Latency()
		switch {
		case err != nil:
			first = cmp.Or(first, fmt.Errorf("read histogram of slice %d: %w", s.Index, err))
		case h != nil:
			out[i] = load.Bars(h)
		}
	}
	return out, first
}

// latencyMax is the longest latency that a histogram here takes, in nanoseconds: that of package recording.
const latencyMax = int64(24 * 60 * 60 * 1e9)

// sumOf adds up distributions; nil of none that counted anything.
func sumOf(all []distribution) *hdrhistogram.Histogram {
	var sum *hdrhistogram.Histogram
	for _, one := range all {
		for _, bar := range one {
			if sum == nil {
				sum = hdrhistogram.New(1, latencyMax, 3)
			}
			_ = sum.RecordValues(min(bar.From, latencyMax), bar.Count) // in range
		}
	}
	return sum
}

// curvePoints is how many points a curve has at most: as many as a wide screen shows apart.
const curvePoints = 150

// curveOf is the distribution of latencies from the lowest to the highest percentile that the counts resolve. Its
// points lie evenly on a scale of log(1/(1-p)), on which each further nine takes as much room. It is nil without any
// counts.
func curveOf(name, loop string, h *hdrhistogram.Histogram) *Curve {
	if h == nil || h.TotalCount() == 0 {
		return nil
	}
	c := &Curve{Name: name, Loop: loop, Count: h.TotalCount(), Percentiles: []float64{}, Nanos: []float64{},
		Marks: []CurveMark{}}
	end := math.Log(float64(max(2, h.TotalCount()))) // of p = 1 - 1/count
	points := int(min(curvePoints, max(2, h.TotalCount())))
	wanted := make([]float64, points)
	for i := range wanted {
		wanted[i] = 100 * -math.Expm1(-end*float64(i)/float64(points-1))
	}
	values := h.ValueAtPercentilesSlice(wanted)
	values[0] = h.Min()
	for i, p := range wanted {
		c.Percentiles, c.Nanos = append(c.Percentiles, p), append(c.Nanos, float64(values[i]))
	}
	return c
}

// curve is the curve of a run with the percentiles of its document as marks, which are exact where slices were not
// stored.
func (s *storedRun) curve(all []distribution) *Curve {
	kind, loop := model.RunLatencyKind(s.record)
	name := titledOf(s.record.Label, s.record.Binary.Package).String()
	c := curveOf(name, kind+" ("+loop+")", sumOf(all))
	l := s.record.Latency
	if l == nil {
		return c
	}
	if c == nil { // the document has percentiles, and no slice its histogram
		c = &Curve{Name: name, Loop: kind + " (" + loop + ")", Percentiles: []float64{}, Nanos: []float64{}}
	}
	if l.Count > 0 {
		c.Count = l.Count
	}
	c.Marks = marksOf(*l)
	return c
}

// marksOf are the percentiles of a report with its texts: those that the count resolves, and the maximum.
func marksOf(l record.Latency) []CurveMark {
	marks := []CurveMark{}
	add := func(q recording.Quantile) {
		marks = append(marks, CurveMark{Name: q.Name, Nanos: float64(q.Value), Text: units.Nanos(float64(q.Value))})
	}
	for _, q := range model.RunQuantiles(l) {
		if q.Resolved {
			add(q)
		}
	}
	marks = append(marks, CurveMark{Name: "max", Nanos: float64(l.Max), Text: units.Nanos(float64(l.Max))})
	return marks
}
