package loadtest

import (
	"math"
	"runtime/metrics"
	"time"

	"github.com/gohone/hone/load"
)

// pauseMetric is the runtime's record of the pauses that its garbage collector caused.
const pauseMetric = "/sched/pauses/total/gc:seconds"

// pauseClock is the record at one moment.
type pauseClock struct {
	counts, bounds []float64
}

func readPauses() pauseClock {
	sample := []metrics.Sample{{Name: pauseMetric}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return pauseClock{} // a runtime without it
	}
	h := sample[0].Value.Float64Histogram()
	c := pauseClock{bounds: h.Buckets}
	for _, n := range h.Counts {
		c.counts = append(c.counts, float64(n))
	}
	return c
}

// since is what came later than earlier. A pause counts as the upper bound of its class.
func (c pauseClock) since(earlier pauseClock) load.Pauses {
	var p load.Pauses
	for i, n := range c.counts {
		if i < len(earlier.counts) {
			n -= earlier.counts[i]
		}
		if n == 0 {
			continue
		}
		bound := c.bounds[i+1]
		if math.IsInf(bound, 1) {
			bound = c.bounds[i]
		}
		longest := time.Duration(bound * float64(time.Second))
		p.Count += uint64(n)
		p.Total += time.Duration(n) * longest
		p.Max = max(p.Max, longest)
	}
	return p
}
