package recording

import (
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/stats"
)

// Latency is one distribution of times. All are 0 if Count is.
type Latency struct {
	Count  int64         `json:"count"`
	Min    time.Duration `json:"min_ns"`
	P50    time.Duration `json:"p50_ns"`
	P75    time.Duration `json:"p75_ns"`
	P90    time.Duration `json:"p90_ns"`
	P95    time.Duration `json:"p95_ns"`
	P99    time.Duration `json:"p99_ns"`
	P999   time.Duration `json:"p99_9_ns"`
	P9999  time.Duration `json:"p99_99_ns"`
	Max    time.Duration `json:"max_ns"`
	Mean   time.Duration `json:"mean_ns"`
	StdDev time.Duration `json:"stddev_ns"`
}

// Quantile is one of the quantiles that every report shows.
type Quantile struct {
	Name    string  // "p99.9", or "max"
	Percent float64 // 99.9
	Value   time.Duration
	// Resolved is false if the latency has too few values for this quantile (stats.Resolves).
	Resolved bool
}

// Quantiles are those that reports show, in ascending order, the maximum last.
func (l Latency) Quantiles() []Quantile {
	all := []Quantile{
		{Name: "p50", Percent: 50, Value: l.P50}, {Name: "p75", Percent: 75, Value: l.P75},
		{Name: "p90", Percent: 90, Value: l.P90}, {Name: "p95", Percent: 95, Value: l.P95},
		{Name: "p99", Percent: 99, Value: l.P99}, {Name: "p99.9", Percent: 99.9, Value: l.P999},
		{Name: "p99.99", Percent: 99.99, Value: l.P9999}, {Name: "max", Percent: 100, Value: l.Max},
	}
	for i := range all {
		all[i].Resolved = all[i].Percent == 100 && l.Count > 0 ||
			all[i].Percent < 100 && stats.Resolves(l.Count, all[i].Percent/100)
	}
	return all
}

// LatencyOf sums up a histogram of nanoseconds; nil counts as empty. A value is the
// highest that its cell of the histogram stands for: at most one in a thousand too high.
func LatencyOf(h *hdrhistogram.Histogram) Latency {
	if h == nil || h.TotalCount() == 0 {
		return Latency{}
	}
	q := h.ValueAtPercentilesSlice([]float64{50, 75, 90, 95, 99, 99.9, 99.99})
	d := func(i int) time.Duration { return time.Duration(q[i]) }
	return Latency{
		Count: h.TotalCount(), Min: time.Duration(h.Min()), Max: time.Duration(h.Max()),
		P50: d(0), P75: d(1), P90: d(2), P95: d(3), P99: d(4), P999: d(5), P9999: d(6),
		Mean:   time.Duration(math.Round(h.Mean())),
		StdDev: time.Duration(math.Round(h.StdDev())),
	}
}

// optional is LatencyOf, nil if there is nothing to sum up.
func optional(h *hdrhistogram.Histogram) *Latency {
	if h == nil || h.TotalCount() == 0 {
		return nil
	}
	l := LatencyOf(h)
	return &l
}
