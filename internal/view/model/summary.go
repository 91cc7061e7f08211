package model

import (
	"fmt"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/stored"
)

// RunSummary is the main measure of a run, "-" if there is none: CPU time per request, of an
// execution the CPU time, of a load test rate and latency.
func RunSummary(r *stored.Run) string {
	switch {
	case r.Once != nil && r.Once.Facts != nil:
		return units.Nanos(r.Once.Facts.CPU.Median) + " (once)"
	case r.Load != nil && r.Load.Summary != nil && r.Load.Summary.Latency.Count > 0:
		l := r.Load.Summary.Latency
		return fmt.Sprintf("%s, p99 %s", units.Rate(r.Load.Summary.AchievedHz), PercentileText(l.P99, 99, l.Count))
	case r.Record.CPUNanos != nil:
		return units.Nanos(r.Record.CPUNanos.Value)
	}
	return "-"
}

// ComparisonSummary is the change of the gated measure, of benchmarks how many have which
// verdict; "-" if there is none.
func ComparisonSummary(c *stored.Comparison) string {
	if c.Bench != nil {
		return BenchCounts(c.Bench)
	}
	if c.Bisect != nil {
		return bisectSummary(c.Bisect)
	}
	if len(c.Record.Contests) == 0 {
		return "-"
	}
	v, ok := Lead(printable.Document(c.Record.Contests[0]))
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%s (%s)", units.Percent(v.Ratio-1), units.Span(v.Low-1, v.High-1))
}
