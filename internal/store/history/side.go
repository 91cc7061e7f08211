package history

import (
	"fmt"
	"maps"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// side is one stored run, unpacked.
type side struct {
	slices []slice
	blocks [][]slice // the slices of each start
	// figures are the run's own, as all other commands have them; none of a run that did not end well.
	figures []ledger.MeasureValue
}

// slice is a stored slice with its histogram; nil if it has none.
type slice struct {
	packed.Slice
	latency *hdrhistogram.Histogram
}

// newSide unpacks slices. Its error names the first whose histogram is damaged.
func newSide(stored []packed.Slice) (side, error) {
	var s side
	blocks := map[int][]slice{}
	for _, one := range stored {
		u := slice{Slice: one}
		var err error
		if u.latency, err = one.Latency(); err != nil {
			return side{}, fmt.Errorf("read histogram of slice %d: %w", one.Index, err)
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
	measure judge.Measure
	// value is that of some slices together; false where they do not show it.
	value func(m judge.Measure, all []slice) (float64, bool)
}

// storedMeasures are all of them, the gated one first.
var storedMeasures = []storedMeasure{
	{measure.CPU, ratioOf(cpu)},
	{measure.Throughput, ratioOf(rate)},
	{percentileMeasure("p50"), quantile},
	{percentileMeasure("p90"), quantile},
	{percentileMeasure("p99"), quantile},
}

// percentileMeasure is the measure of measure.All with this key.
func percentileMeasure(key string) judge.Measure {
	i := slices.IndexFunc(measure.All, func(m judge.Measure) bool { return m.Key == key })
	return measure.All[i]
}

// of returns the values of the units that show the measure.
func (m storedMeasure) of(s side, u Unit) []float64 {
	units := s.blocks
	if u == PerSlice {
		units = s.batches()
	}
	var values []float64
	for _, one := range units {
		if v, ok := m.value(m.measure, one); ok && max(v, m.measure.Floor) > 0 {
			values = append(values, v)
		}
	}
	return values
}

// batches are the slices, as many together as it takes for their answers to be a rate.
func (s side) batches() (all [][]slice) {
	answered := uint64(0)
	for _, one := range s.slices {
		answered += one.Answered
	}
	size := compare.BatchSize(answered, len(s.slices))
	compare.Batches(len(s.slices), size, func(from, to int) { all = append(all, s.slices[from:to]) })
	return all
}

// ratioOf is the middle of what the batches of some slices show: a disturbed one does not
// move it.
func ratioOf(show func([]slice) (float64, bool)) func(judge.Measure, []slice) (float64, bool) {
	return func(_ judge.Measure, all []slice) (float64, bool) {
		var values []float64
		for _, batch := range (side{slices: all}).batches() {
			if v, ok := show(batch); ok {
				values = append(values, v)
			}
		}
		middle, err := stats.Median(values)
		return middle, err == nil
	}
}

// cpu is nanoseconds of the subject per right answer.
func cpu(all []slice) (float64, bool) {
	var nanos, answered float64
	for _, s := range all {
		nanos, answered = nanos+float64(s.CPU), answered+float64(s.Answered)
	}
	return nanos / answered, answered > 0 && nanos > 0
}

// rate is right answers per second; while the service stands still it is 0.
func rate(all []slice) (float64, bool) {
	var seconds, answered float64
	for _, s := range all {
		seconds, answered = seconds+s.Duration.Seconds(), answered+float64(s.Answered)
	}
	return answered / seconds, seconds > 0
}

// quantile is that of the measure over all latencies of the slices together.
func quantile(m judge.Measure, all []slice) (float64, bool) {
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
	if sum == nil || !stats.Resolves(sum.TotalCount(), m.Quantile) {
		return 0, false
	}
	return float64(sum.ValueAtQuantile(100 * m.Quantile)), true
}

// Latency is the distribution of all slices together, in nanoseconds; nil where none of them has
// one. Its error names the first slice whose histogram is damaged.
func Latency(stored []packed.Slice) (sum *hdrhistogram.Histogram, err error) {
	for _, one := range stored {
		h, err := one.Latency()
		switch {
		case err != nil:
			return nil, fmt.Errorf("read histogram of slice %d: %w", one.Index, err)
		case h == nil:
		case sum == nil:
			sum = h
		default:
			sum.Merge(h)
		}
	}
	return sum, nil
}
