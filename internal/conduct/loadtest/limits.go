package loadtest

import (
	"fmt"
	"strconv"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/stats"
)

// Apply holds conditions against a tally, whose targets have these names. A condition whose metric the tally does not
// have fails: silence would read as a pass.
func Apply(conditions []limit.Threshold, targets []string, tally load.Tally) []recording.ThresholdResult {
	var out []recording.ThresholdResult
	for _, c := range conditions {
		of, unknown := ofTarget(c.Metric, targets, tally)
		r := Hold(c, func(m limit.Metric) (float64, bool) {
			if unknown != nil {
				return 0, false
			}
			return value(m, of)
		})
		if r.Measured != nothing {
			r.Measured += fewAnswers(c.Metric, of)
		}
		out = append(out, r)
	}
	return out
}

// nothing is measured where the metric is not known.
const nothing = "nothing"

// Hold holds one condition against the value of its metric. If the metric has no value, the condition counts as failed.
func Hold(c limit.Threshold, get func(limit.Metric) (float64, bool)) recording.ThresholdResult {
	value, holds, err := c.Measured(get)
	r := recording.ThresholdResult{Rule: c.String(), Failed: holds || err != nil, Measured: nothing}
	if err == nil {
		r.Measured = c.Metric.Format(value)
	}
	return r
}

// measured holds one condition against a tally; an error says that the tally lacks its
// metric.
func measured(c limit.Threshold, targets []string, tally load.Tally) (v float64, holds bool, err error) {
	of, err := ofTarget(c.Metric, targets, tally)
	if err != nil {
		return 0, false, err
	}
	return c.Measured(func(m limit.Metric) (float64, bool) { return value(m, of) })
}

// ofTarget is the part of a tally that a metric is of: all of it or, of a metric of one target, what that target had.
func ofTarget(m limit.Metric, targets []string, tally load.Tally) (load.Tally, error) {
	if m.Target == "" {
		return tally, nil
	}
	i, err := limit.FindTarget(m.Target, targets)
	if err != nil {
		return load.Tally{}, err
	}
	if i >= len(tally.Targets) {
		return load.Tally{}, nil // nothing was sent
	}
	one := tally.Targets[i]
	return load.Tally{Slices: tally.Slices, Slice: load.Slice{
		Duration: tally.Duration, Silent: tally.Silent, Latencies: load.Latencies{Service: one.Latency},
		Counts: load.Counts{Answered: one.Answered, Failed: one.Failed},
	}}, nil
}

// CheckTargets refuses conditions on unknown targets.
func CheckTargets(conditions []limit.Threshold, targets []string) error {
	for _, c := range conditions {
		if c.Metric.Target == "" {
			continue
		}
		if _, err := limit.FindTarget(c.Metric.Target, targets); err != nil {
			return err
		}
	}
	return nil
}

// value is a metric of a tally, in the unit of its kind; false if the tally has none.
func value(m limit.Metric, t load.Tally) (float64, bool) {
	if m.Latency() {
		return latency(m, t)
	}
	switch m.Kind {
	case limit.Errors:
		return t.WrongShare()
	case limit.Unanswered:
		return float64(t.Unanswered) / float64(max(t.Sent, 1)), t.Sent > 0
	case limit.Rate:
		return t.AnsweredHz(), t.Duration > t.Silent
	case limit.Requests:
		return float64(t.Sent), true
	case limit.Messages:
		return float64(t.Messages) / t.Duration.Seconds(), t.Duration > 0
	default:
		return 0, false
	}
}

// latency is a metric of one of the latencies, in nanoseconds.
func latency(m limit.Metric, t load.Tally) (float64, bool) {
	h := distribution(m, t)
	if h == nil || h.TotalCount() == 0 {
		return 0, false
	}
	switch m.Kind {
	case limit.Min:
		return float64(h.Min()), true
	case limit.Max:
		return float64(h.Max()), true
	case limit.Mean:
		return h.Mean(), true
	case limit.StdDev:
		return h.StdDev(), true
	default:
		return float64(h.ValueAtPercentile(m.Percentile)), true
	}
}

// distribution is what a metric of a latency is one of; nil if the tally has none.
func distribution(m limit.Metric, t load.Tally) *hdrhistogram.Histogram {
	switch m.Prefix {
	case limit.Service:
		return t.Service
	case limit.Response:
		return t.Response
	case limit.Lag:
		return t.Lag
	case limit.FirstByte:
		return t.FirstByte
	case limit.Gap:
		return t.Gaps
	case limit.MessageAge:
		return t.MessageAge
	default:
		return t.Latency()
	}
}

// fewAnswers is a remark on a percentile of too few values (stats.Resolves): it is their
// largest, whatever its name. It is empty for all other metrics.
func fewAnswers(m limit.Metric, t load.Tally) string {
	if !m.Latency() || m.Kind != limit.Percentile {
		return ""
	}
	h := distribution(m, t)
	if h == nil || m.Percentile >= 100 || stats.Resolves(h.TotalCount(), m.Percentile/100) {
		return ""
	}
	return fmt.Sprintf(" (the largest of %d: p%s takes %d)", h.TotalCount(),
		strconv.FormatFloat(m.Percentile, 'f', -1, 64), stats.Resolving(m.Percentile/100))
}

// allowedErrors is the share of wrong replies that does not spoil the measurement: any,
// where a condition of the user's says from how many on the test fails; else 0, which
// leaves it to the judge.
func allowedErrors(conditions []limit.Threshold) float64 {
	for _, c := range conditions {
		if c.Metric.Kind == limit.Errors && (c.Op == limit.More || c.Op == limit.AtLeast) {
			return 1
		}
	}
	return 0
}
