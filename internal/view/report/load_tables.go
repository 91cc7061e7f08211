package report

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/stats"
)

// unresolvedOf says of which percentiles there are too few answers; empty if of none that
// a table is expected to show (up to p99.9).
func unresolvedOf(l recording.Latency) string {
	var missing []string
	for _, q := range l.Quantiles() {
		if !q.Resolved && q.Percent < 99.95 {
			missing = append(missing, fmt.Sprintf("%s takes %s", q.Name,
				units.Count(uint64(stats.Resolving(q.Percent/100)))))
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf("-: too few answers for some percentiles (%s)", strings.Join(missing, ", "))
}

// stageTable has a row for each stage of an open loop of several.
func stageTable(b *strings.Builder, s *recording.Summary) {
	if len(s.Stages) < 2 {
		return
	}
	fmt.Fprintln(b)
	tw := rightColumns(b)
	fmt.Fprintln(tw, "stage\tasked\tsent\tanswered\tp50\tp99\tmax\terrors\tlag p99\t")
	for _, r := range s.Stages {
		fmt.Fprintf(tw, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", r.Stage+1, units.Rate(r.AskedHz),
			units.Rate(r.SentHz), units.Rate(r.AchievedHz),
			model.PercentileText(r.Latency.P50, 50, r.Latency.Count),
			model.PercentileText(r.Latency.P99, 99, r.Latency.Count), units.Nanos(float64(r.Latency.Max)),
			units.Count(r.Failed), units.Nanos(float64(r.LagP99)))
	}
	tw.Flush()
	fmt.Fprintln(b)
}

// targetTable has a row for each of several targets.
func targetTable(b *strings.Builder, targets []recording.TargetRow) {
	if len(targets) == 0 {
		return
	}
	all := uint64(0)
	for _, t := range targets {
		all += t.Answered + t.Failed
	}
	fmt.Fprintln(b)
	tw := rightColumns(b)
	fmt.Fprintln(tw, "target\tshare\tright\tfailed\tp50\tp90\tp99\tmax\t")
	for _, t := range targets {
		fmt.Fprintf(tw, "%s\t%.1f %%\t%s\t%s\t%s\t%s\t%s\t%s\t\n", t.Name,
			100*float64(t.Answered+t.Failed)/float64(max(1, all)), units.Count(t.Answered), units.Count(t.Failed),
			model.PercentileText(t.Latency.P50, 50, t.Latency.Count),
			model.PercentileText(t.Latency.P90, 90, t.Latency.Count),
			model.PercentileText(t.Latency.P99, 99, t.Latency.Count),
			units.Nanos(float64(t.Latency.Max)))
	}
	tw.Flush()
	fmt.Fprintln(b)
}
