package load

import (
	"math/bits"
	"sync"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Bars returns what h counted: the bars that are not empty, in ascending order; nil of nil. It
// is h.Distribution without the empty bars, of which there are some 30,000, in a fifth of
// the time: a comparison does this for each of its slices.
func Bars(h *hdrhistogram.Histogram) []hdrhistogram.Bar {
	if h == nil {
		return nil
	}
	g := geometryOf(h)
	var all []hdrhistogram.Bar
	for i, n := range h.Export().Counts {
		if n != 0 {
			from, size := g.bar(i)
			all = append(all, hdrhistogram.Bar{From: from, To: from + size - 1, Count: n})
		}
	}
	return all
}

// geometry says which values the counts of a histogram are of: groups of half counts each,
// in every one of which a count stands for twice as many values as in the group before.
type geometry struct {
	unit uint // the logarithm of the values of one count in the first two groups
	half uint // the logarithm of the counts of a group
}

func geometryOf(h *hdrhistogram.Histogram) geometry {
	single := uint64(2) // values that one count stands for alone: 2 * 10^digits
	for range h.SignificantFigures() {
		single *= 10
	}
	return geometry{
		unit: uint(bits.Len64(uint64(h.LowestTrackableValue())) - 1),
		half: uint(bits.Len64(single-1)) - 1,
	}
}

// bar is the lowest value of count i, and how many values it stands for.
func (g geometry) bar(i int) (from, size int64) {
	group := i >> g.half
	within := int64(i & (1<<g.half - 1))
	if group > 0 {
		group--
		within += 1 << g.half
	}
	shift := g.unit + uint(group)
	return within << shift, 1 << shift
}

// addBars adds what b counted to a, which has the same range.
func addBars(a, b *hdrhistogram.Histogram) {
	for _, bar := range Bars(b) {
		_ = a.RecordValues(bar.From, bar.Count) // in range, as it was in b
	}
}

// used are histograms of the latencies' range that are empty again.
var used = sync.Pool{New: func() any { return hdrhistogram.New(latencyMin, latencyMax, latencyDigits) }}

// Release empties the histograms of a slice that nothing reads any more and keeps them for the
// next one. A comparison has hundreds of slices per second, of a quarter of a megabyte each.
func (s *Slice) Release() {
	all := []*hdrhistogram.Histogram{s.Service, s.Response, s.Lag, s.Age, s.FailedLatency, s.FirstByte, s.Gaps,
		s.MessageAge}
	for _, t := range s.Targets {
		all = append(all, t.Latency)
	}
	for _, h := range all {
		if h != nil {
			h.Reset()
			used.Put(h)
		}
	}
	*s = s.Bare()
}
