package model

import (
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/stats"
)

// LatencyParts are the percentiles of a run that its answers show, and what they rest on.
func LatencyParts(l record.Latency, loop string) (shown, rests string) {
	var all, missing []string
	for _, q := range RunQuantiles(l) {
		if q.Resolved {
			all = append(all, q.Name+" "+units.Nanos(float64(q.Value)))
			continue
		}
		missing = append(missing, fmt.Sprintf("%s takes %s", q.Name,
			units.Count(uint64(stats.Resolving(q.Percent/100)))))
	}
	rests = loop
	if l.Count > 0 {
		rests += ", of " + units.Plural(int(l.Count), "answer")
	}
	if len(missing) > 0 {
		rests += ": " + strings.Join(missing, ", ")
	}
	return fmt.Sprintf("%s  max %s", strings.Join(all, "  "), units.Nanos(float64(l.Max))), rests
}

// quantileParts are the percentiles of LatencyParts one by one.
func quantileParts(shown string) []string { return strings.Split(strings.TrimSpace(shown), "  ") }

// RunQuantiles are the percentiles that the report of a run shows, in ascending order. Of a document of an earlier
// hone, which kept no count, all count as resolved.
func RunQuantiles(l record.Latency) []recording.Quantile {
	var all []recording.Quantile
	for _, q := range []struct {
		name    string
		percent float64
		value   int64
	}{{"p50", 50, l.P50}, {"p90", 90, l.P90}, {"p99", 99, l.P99}, {"p99.9", 99.9, l.P999}} {
		all = append(all, recording.Quantile{
			Name: q.name, Percent: q.percent, Value: time.Duration(q.value),
			Resolved: l.Count == 0 || stats.Resolves(l.Count, q.percent/100),
		})
	}
	return all
}

// unresolved stands for a percentile that takes more values than there are.
const unresolved = "-"

// QuantileText is a percentile, if there are values enough for it.
func QuantileText(q recording.Quantile) string {
	if !q.Resolved {
		return unresolved
	}
	return units.Nanos(float64(q.Value))
}

// PercentileText is the same for one by itself: percent of count values.
func PercentileText(value time.Duration, percent float64, count int64) string {
	return QuantileText(recording.Quantile{Value: value, Resolved: stats.Resolves(count, percent/100)})
}
