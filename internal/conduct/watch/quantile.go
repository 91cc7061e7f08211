package watch

import (
	"maps"
	"math"
	"slices"

	"github.com/gohone/hone/internal/program/metricname"
	"github.com/gohone/hone/internal/text/vitals"
)

// bin counts observations between two bounds.
type bin struct {
	lower, upper float64
	count        float64
	// geometric says that they lie evenly on a logarithmic scale, as Prometheus takes those
	// of native histograms to do.
	geometric bool
}

// bins are the observations since the exposition before, in seconds, in ascending order.
func (f *family) bins() []bin {
	unit := metricname.DurationUnit(f.name, f.unit)
	if unit == 0 {
		unit = 1
	}
	if f.native != nil {
		return f.nativeBins(unit)
	}
	var all []bin
	before := bin{}
	for _, bound := range slices.Sorted(maps.Keys(f.buckets)) {
		cumulative := f.buckets[bound]
		lower := before.upper
		if len(all) == 0 && bound <= 0 {
			lower = bound * unit
		}
		// Series of a family that were not all there before may disagree a little.
		count := max(0, cumulative-before.count)
		before = bin{upper: bound * unit, count: max(before.count, cumulative)}
		all = append(all, bin{lower: lower, upper: bound * unit, count: count})
	}
	if n := len(all); n > 0 && math.IsInf(all[n-1].upper, 1) {
		all[n-1].upper = all[n-1].lower // what is beyond the last bound is known to be at least that
	}
	return slices.DeleteFunc(all, func(b bin) bool { return b.count == 0 })
}

func (f *family) nativeBins(unit float64) []bin {
	var all []bin
	for i := f.native.AllBucketIterator(); i.Next(); {
		b := i.At()
		if !(b.Count > 0) {
			continue
		}
		// A duration is not negative, but a zero bucket reaches to both sides.
		one := bin{lower: max(0, b.Lower) * unit, upper: b.Upper * unit, count: b.Count}
		one.geometric = one.lower > 0 && !f.native.UsesCustomBuckets()
		if math.IsInf(one.upper, 1) {
			one.upper = one.lower
		}
		all = append(all, one)
	}
	return all
}

// quantile estimates as histogram_quantile of Prometheus does: the observation of rank q*n
// lies in its bin by the share of the bin that is before it. Absent without observations.
func quantile(bins []bin, q float64) vitals.Value {
	total := 0.0
	for _, b := range bins {
		total += b.count
	}
	rank, seen := q*total, 0.0
	for _, b := range bins {
		if seen+b.count < rank {
			seen += b.count
			continue
		}
		share := (rank - seen) / b.count
		if b.geometric && b.upper > b.lower {
			return vitals.Of(b.lower * math.Pow(b.upper/b.lower, share))
		}
		return vitals.Of(b.lower + (b.upper-b.lower)*share)
	}
	if len(bins) > 0 {
		return vitals.Of(bins[len(bins)-1].upper)
	}
	return vitals.Value{}
}
