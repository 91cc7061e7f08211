package history

import (
	"fmt"
	"maps"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/stats"
)

// side is one stored run, unpacked.
type side struct {
	slices []slice
	blocks [][]slice // the slices of each start
}

// slice is a stored slice with its histogram; nil if it has none.
type slice struct {
	ledger.Slice
	latency *hdrhistogram.Histogram
}

// newSide unpacks slices. Its error names the first whose histogram is damaged.
func newSide(stored []ledger.Slice) (side, error) {
	var s side
	blocks := map[int][]slice{}
	for _, one := range stored {
		u := slice{Slice: one}
		if len(one.Latency) > 0 {
			h, err := hdrhistogram.Decode(one.Latency)
			if err != nil {
				return side{}, fmt.Errorf("read histogram of slice %d: %w", one.Index, err)
			}
			u.latency = h
		}
		s.slices = append(s.slices, u)
		blocks[one.Block] = append(blocks[one.Block], u)
	}
	for _, b := range slices.Sorted(maps.Keys(blocks)) {
		s.blocks = append(s.blocks, blocks[b])
	}
	return s, nil
}

func (s side) starts() int { return len(s.blocks) }

// storedMeasure is a measure that slices in the ledger show.
type storedMeasure struct {
	measure compare.Measure
	// value is that of some slices together; false where they do not show it.
	value func(m compare.Measure, all []slice) (float64, bool)
}

// storedMeasures are all of them, the gated one first.
var storedMeasures = []storedMeasure{
	{compare.CPU, medianOf(cpu)},
	{compare.Throughput, medianOf(rate)},
	{percentileMeasure("p50"), quantile},
	{percentileMeasure("p90"), quantile},
	{percentileMeasure("p99"), quantile},
}

// percentileMeasure is the measure of compare.Measures with this key.
func percentileMeasure(key string) compare.Measure {
	i := slices.IndexFunc(compare.Measures, func(m compare.Measure) bool { return m.Key == key })
	return compare.Measures[i]
}

// of returns the values of the units that show the measure.
func (m storedMeasure) of(s side, u Unit) []float64 {
	units := s.blocks
	if u == PerSlice {
		units = nil
		for i := range s.slices {
			units = append(units, s.slices[i:i+1])
		}
	}
	var values []float64
	for _, one := range units {
		if v, ok := m.value(m.measure, one); ok && max(v, m.measure.Floor) > 0 {
			values = append(values, v)
		}
	}
	return values
}

// medianOf is the middle of what single slices show: a disturbed one does not move it.
func medianOf(show func(slice) (float64, bool)) func(compare.Measure, []slice) (float64, bool) {
	return func(_ compare.Measure, all []slice) (float64, bool) {
		var values []float64
		for _, s := range all {
			if v, ok := show(s); ok {
				values = append(values, v)
			}
		}
		middle, err := stats.Median(values)
		return middle, err == nil
	}
}

// cpu is nanoseconds of the subject per right answer.
func cpu(s slice) (float64, bool) {
	if s.Answered == 0 || s.CPU <= 0 {
		return 0, false
	}
	return float64(s.CPU) / float64(s.Answered), true
}

// rate is right answers per second; a slice in which the service stood still has 0.
func rate(s slice) (float64, bool) {
	if s.Duration <= 0 {
		return 0, false
	}
	return float64(s.Answered) / s.Duration.Seconds(), true
}

// quantile is that of the measure over all latencies of the slices together.
func quantile(m compare.Measure, all []slice) (float64, bool) {
	var sum *hdrhistogram.Histogram
	for _, s := range all {
		switch {
		case s.latency == nil:
		case sum == nil:
			sum = hdrhistogram.Import(s.latency.Export()) // the slice's own is used again
		default:
			sum.Merge(s.latency)
		}
	}
	if sum == nil || sum.TotalCount() == 0 {
		return 0, false
	}
	return float64(sum.ValueAtQuantile(100 * m.Quantile)), true
}
