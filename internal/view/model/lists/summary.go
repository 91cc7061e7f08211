package lists

import (
	"fmt"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/model/bench"
	"github.com/gohone/hone/internal/view/model/commits"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/judge"
)

// RunSummary is the main measure of a run, "-" if there is none: CPU time per request, of an
// execution the CPU time, of a load test rate and latency.
func RunSummary(r *stored.Run) string {
	switch {
	case r.Once != nil && r.Once.Facts != nil:
		return units.Nanos(r.Once.Facts.CPU.Median) + " (once)"
	case r.Load != nil && r.Load.Summary != nil && r.Load.Summary.Latency.Count > 0:
		l := r.Load.Summary.Latency
		return fmt.Sprintf("%s, p99 %s", units.Rate(r.Load.Summary.AchievedHz), model.PercentileText(l.P99, 99, l.Count))
	case r.Record.CPUNanos != nil:
		return units.Nanos(r.Record.CPUNanos.Value)
	}
	return "-"
}

// ComparisonSummary is the change of the gated measure, of benchmarks how many have which
// verdict; "-" if there is none.
func ComparisonSummary(c *stored.Comparison) string {
	if c.Bench != nil {
		return bench.Counts(c.Bench)
	}
	if c.Bisect != nil {
		return commits.BisectSummary(c.Bisect)
	}
	if len(c.Record.Contests) == 0 {
		return "-"
	}
	v, ok := model.Lead(printable.Document(c.Record.Contests[0]))
	if !ok {
		return "-"
	}
	if v.Method == judge.SlowShare {
		row := model.MeasureOf(v)
		return fmt.Sprintf("%s %s -> %s", row.Name, row.A.Text, row.B.Text)
	}
	return fmt.Sprintf("%s (%s)", units.Percent(v.Ratio-1), units.Span(v.Low-1, v.High-1))
}

// ComparisonWord is the outcome of a comparison in a few words: what it is called, with the bound where no change is
// shown, or its state where it has no outcome.
func ComparisonWord(c *stored.Comparison) string {
	if c.Row.Status != ledger.Complete {
		return string(c.Row.Status)
	}
	if c.Row.Word != string(judge.NoChange) {
		return c.Row.Word
	}
	if c.Bench != nil && c.Bench.Count()[judge.NoChange] > 0 {
		return model.NoChange(bench.BoundsOf(c.Bench, judge.NoChange).Widest())
	}
	if c.Record != nil && len(c.Record.Contests) > 0 {
		if v, ok := model.Lead(c.Record.Contests[0]); ok && v.Word == judge.NoChange {
			return model.NoChange(v)
		}
	}
	return c.Row.Word
}
