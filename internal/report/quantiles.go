package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/recording"
	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/stats"
)

// unresolved stands for a percentile that takes more values than there are.
const unresolved = "-"

// quantileText is a percentile, if there are values enough for it.
func quantileText(q recording.Quantile) string {
	if !q.Resolved {
		return unresolved
	}
	return units.Nanos(float64(q.Value))
}

// percentileText is the same for one by itself: percent of count values.
func percentileText(value time.Duration, percent float64, count int64) string {
	return quantileText(recording.Quantile{Value: value, Resolved: stats.Resolves(count, percent/100)})
}

// runLatency are the percentiles of a run that its answers show, and what they rest on.
func runLatency(l lab.Latency, loop string) string {
	var shown, missing []string
	for _, q := range []struct {
		name  string
		p     float64
		value int64
	}{{"p50", 0.5, l.P50}, {"p90", 0.9, l.P90}, {"p99", 0.99, l.P99}, {"p99.9", 0.999, l.P999}} {
		if l.Count == 0 || stats.Resolves(l.Count, q.p) { // an earlier hone kept no count
			shown = append(shown, q.name+" "+units.Nanos(float64(q.value)))
			continue
		}
		missing = append(missing, fmt.Sprintf("%s takes %s", q.name, units.Count(uint64(stats.Resolving(q.p)))))
	}
	rests := loop
	if l.Count > 0 {
		rests += ", of " + plural(int(l.Count), "answer")
	}
	if len(missing) > 0 {
		rests += ": " + strings.Join(missing, ", ")
	}
	return fmt.Sprintf("%s  max %s  (%s)", strings.Join(shown, "  "), units.Nanos(float64(l.Max)), rests)
}
