package goruntime

import (
	"math"
	"sort"

	"github.com/gohone/hone/internal/program/probeclient"
)

// exactSums are numbers that are the exact sums of histograms. For others the runtime
// tells no sum.
var exactSums = map[string]string{
	"/gc/heap/allocs-by-size:bytes": "/gc/heap/allocs:bytes",
	"/gc/heap/frees-by-size:bytes":  "/gc/heap/frees:bytes",
}

// coarseBounds picks those boundaries of a histogram of the runtime that Prometheus gets to
// see, by client_golang's rule: times a factor of 10 apart and none between a second and
// infinity, sizes a factor of 2, anything else as it is. It begins with the lowest finite
// one.
func coarseBounds(fine []float64, unit string) []float64 {
	if len(fine) > 0 && math.IsInf(fine[0], -1) {
		fine = fine[1:] // the first bucket of Prometheus has no lower end either
	}
	switch unit {
	case "seconds":
		coarse := apart(fine, 10)
		for i, bound := range coarse {
			if bound > 1 {
				return append(coarse[:i:i], math.Inf(1))
			}
		}
		return coarse
	case "bytes":
		return apart(fine, 2)
	}
	return fine
}

// apart picks ascending boundaries each of which is at least a factor from the one before
// (a negative one: that much nearer to zero), from the first to the last.
func apart(fine []float64, factor float64) []float64 {
	var coarse []float64
	for i, bound := range fine {
		if i > 0 {
			least := coarse[len(coarse)-1] * factor
			if least < 0 {
				least = coarse[len(coarse)-1] / factor
			}
			if bound < least {
				continue
			}
		}
		coarse = append(coarse, bound)
	}
	return coarse
}

// classic is a histogram as Prometheus knows it.
type classic struct {
	count      uint64
	sum        float64
	cumulative map[float64]uint64 // by inclusive upper bound, +Inf left out
}

// coarsen puts a histogram of the runtime into coarser buckets. bounds are exclusive at
// their upper end, in Prometheus inclusive, so each becomes the number right below it. A
// bin that lies across a bound, as another Go release may have it, counts above it:
// quantiles are then too high rather than too low. The sum is that of the lower ends of the
// coarse buckets, so too low; all as in client_golang.
func coarsen(fine probeclient.Histogram, bounds []float64) classic {
	counts := make([]uint64, len(bounds)-1)
	for _, bin := range fine {
		counts[bucketOf(bin.To, bounds)] += bin.Count
	}
	h := classic{cumulative: make(map[float64]uint64, len(counts))}
	for i, n := range counts {
		h.count += n
		if n > 0 {
			h.sum += bounds[i] * float64(n)
		}
		if upper := bounds[i+1]; !math.IsInf(upper, 1) {
			h.cumulative[math.Nextafter(upper, bounds[i])] = h.count
		}
	}
	return h
}

// bucketOf returns the first bucket that reaches up to the end of a bin; the last for what
// is above all bounds.
func bucketOf(to float64, bounds []float64) int {
	uppers := bounds[1:]
	return min(sort.SearchFloat64s(uppers, to), len(uppers)-1)
}
