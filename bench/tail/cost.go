package tail

import (
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/stats"
)

// cost is what the trace pass of one run took, and what it did to the latency: slices without a trace
// and the traced stretch follow each other under the same load.
type cost struct {
	RateHz   float64     `json:"rate_hz"`
	Plain    percentiles `json:"plain"`
	Traced   percentiles `json:"traced"`
	Length   int64       `json:"length_ns"`
	Bytes    int64       `json:"bytes"`
	Requests int         `json:"requests"`
	Reading  int64       `json:"reading_ns"`
	Alloc    int64       `json:"alloc_bytes"`
}

// percentiles are those of latency in nanoseconds.
type percentiles struct {
	P50 int64 `json:"p50"`
	P99 int64 `json:"p99"`
}

// tracing is what a run's document says of its trace.
type tracing struct {
	Duration int64        `json:"duration_ns"`
	Bytes    int64        `json:"bytes"`
	Requests int          `json:"requests"`
	Latency  *percentiles `json:"latency"`
	Reading  int64        `json:"reading_ns"`
	Alloc    int64        `json:"read_alloc_bytes"`
}

// costOf is that of a run; nil if it has no trace.
func costOf(d runDocument) *cost {
	if d.Tracing == nil || d.Tracing.Latency == nil || d.Latency == nil {
		return nil
	}
	return &cost{
		RateHz: d.Rate, Plain: *d.Latency, Traced: *d.Tracing.Latency, Length: d.Tracing.Duration,
		Bytes: d.Tracing.Bytes, Requests: d.Tracing.Requests, Reading: d.Tracing.Reading, Alloc: d.Tracing.Alloc,
	}
}

// writeCosts says what the pass costs: open loops and closed loops apart.
func writeCosts(r *bed.Result, some []record) {
	t := r.Table("What the trace costs", "load", "measurements", "p50, ratio", "p99, ratio", "largest trace", "read in", "allocated")
	t.Say("Each measurement has slices without a trace and then a trace under the same load. Ratios are the latency under the trace by that of the slices (Hodges and Lehmann).")
	for _, loop := range []struct {
		name string
		of   func(record) *cost
	}{
		{"open loop", func(r record) *cost { return r.Cost }},
		{"closed loop, as fast as it goes", func(r record) *cost { return r.ClosedCost }},
	} {
		var all []cost
		for _, r := range some {
			if c := loop.of(r); c != nil {
				all = append(all, *c)
			}
		}
		if len(all) == 0 {
			continue
		}
		most := slices.MaxFunc(all, func(a, b cost) int { return a.Requests - b.Requests })
		p50, p99 := ratio(all, func(l percentiles) int64 { return l.P50 }), ratio(all, func(l percentiles) int64 { return l.P99 })
		t.Row(loop.name, fmt.Sprint(len(all)), p50, p99,
			fmt.Sprintf("%.0f/s, %d in %v: %.1f MB", most.RateHz, most.Requests, duration(float64(most.Length)), float64(most.Bytes)/1e6),
			time.Duration(most.Reading).Round(time.Millisecond).String(), fmt.Sprintf("%.0f MB", float64(most.Alloc)/1e6))
		r.Claim("latency under a trace over that without, "+loop.name+": p50; p99", "%s; %s", p50, p99)
	}
}

// ratio is the change of a percentile under the trace.
func ratio(all []cost, of func(percentiles) int64) string {
	var values []float64
	for _, c := range all {
		if of(c.Plain) > 0 {
			values = append(values, float64(of(c.Traced))/float64(of(c.Plain)))
		}
	}
	e, err := stats.HodgesLehmann(values, 0.95)
	if err != nil || !e.Bounded() {
		return fmt.Sprintf("too few (%d)", len(values))
	}
	return fmt.Sprintf("%.2f (%.2f ... %.2f)", e.Value, e.Low, e.High)
}
