package report

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/stats"
)

// closedLoopNote is said wherever a closed loop shows a latency: it is not what a user
// would wait.
const closedLoopNote = "closed loop: service time; a slow target lowers the rate instead of raising latency,\n" +
	"use --rate for response time"

// latencyTable has a row for each distribution and a column for each quantile.
func latencyTable(b *strings.Builder, s recording.Summary) {
	type row struct {
		name string
		l    *recording.Latency
	}
	l := &s.Latencies
	rows := []row{{"service time", &l.Service}}
	if s.Loop == "open" {
		rows = []row{{"response time", &s.Latency}, {"service time", &l.Service}, {"send lag", l.Lag}}
	} else if l.Age != nil {
		rows[0].l = &s.Latency // with the ages of what was given up
	}
	rows = append(rows, row{"wrong answers", l.Failed}, row{"first byte", l.FirstByte}, row{"between messages", l.Gaps}, row{"age of messages", l.MessageAge})
	fmt.Fprintln(b)
	if s.Latency.Count == 0 {
		fmt.Fprintln(b, "latency: no request was answered right")
		return
	}
	tw := rightColumns(b)
	fmt.Fprint(tw, "\t")
	for _, q := range (recording.Latency{}).Quantiles() {
		fmt.Fprintf(tw, "%s\t", q.Name)
	}
	fmt.Fprintln(tw)
	for _, r := range rows {
		if r.l == nil || r.l.Count == 0 {
			continue
		}
		fmt.Fprintf(tw, "%-13s\t", r.name)
		for _, q := range r.l.Quantiles() {
			fmt.Fprintf(tw, "%s\t", quantileText(q))
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
	fmt.Fprintf(b, "%s: of %s, mean %s, standard deviation %s, min %s\n", headline(s), restsOn(s),
		units.Nanos(float64(s.Latency.Mean)), units.Nanos(float64(s.Latency.StdDev)), units.Nanos(float64(s.Latency.Min)))
	if s.Messages > 0 {
		fmt.Fprintf(b, "messages of streams: %s, %s\n", units.Count(s.Messages), units.Rate(s.MessagesHz))
	}
	if few := unresolvedOf(s.Latency); few != "" {
		fmt.Fprintln(b, few)
	}
	if l.Age != nil {
		fmt.Fprintf(b, "in it: %s requests given up at the end, at their age (up to %s)\n",
			units.Count(uint64(l.Age.Count)), units.Nanos(float64(l.Age.Max)))
	}
	if s.Loop == "closed" {
		fmt.Fprintln(b, closedLoopNote)
	}
}

// restsOn is what the headline's percentiles are of.
func restsOn(s recording.Summary) string {
	if s.Latencies.Age != nil {
		return plural(int(s.Latency.Count), "request")
	}
	return plural(int(s.Latency.Count), "answer")
}

// unresolvedOf says of which percentiles there are too few answers; empty if of none that
// a table is expected to show (up to p99.9).
func unresolvedOf(l recording.Latency) string {
	var missing []string
	for _, q := range l.Quantiles() {
		if !q.Resolved && q.Percent < 99.95 {
			missing = append(missing, fmt.Sprintf("%s takes %s", q.Name, units.Count(uint64(stats.Resolving(q.Percent/100)))))
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: too few answers for some percentiles (%s)", unresolved, strings.Join(missing, ", "))
}

// stageTable has a row for each stage of an open loop of several.
func stageTable(b *strings.Builder, s recording.Summary) {
	if len(s.Stages) < 2 {
		return
	}
	fmt.Fprintln(b)
	tw := rightColumns(b)
	fmt.Fprintln(tw, "stage\tasked\tsent\tanswered\tp50\tp99\tmax\terrors\tlag p99\t")
	for _, r := range s.Stages {
		fmt.Fprintf(tw, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", r.Stage+1, units.Rate(r.AskedHz), units.Rate(r.SentHz), units.Rate(r.AchievedHz),
			percentileText(r.Latency.P50, 50, r.Latency.Count), percentileText(r.Latency.P99, 99, r.Latency.Count), units.Nanos(float64(r.Latency.Max)),
			units.Count(r.Failed), units.Nanos(float64(r.LagP99)))
	}
	tw.Flush()
	fmt.Fprintln(b)
}

// LoadQuantiles are the quantiles of a latency that it has answers enough for.
func LoadQuantiles(l recording.Latency) string {
	var parts []string
	for _, q := range l.Quantiles() {
		if q.Resolved {
			parts = append(parts, q.Name+" "+units.Nanos(float64(q.Value)))
		}
	}
	return strings.Join(parts, "  ")
}

// LoadParts are the numbers of streams, and of each of several targets.
func LoadParts(s recording.Summary) (all []Row) {
	l := &s.Latencies
	for _, row := range []struct {
		name string
		l    *recording.Latency
	}{{"first byte", l.FirstByte}, {"between messages", l.Gaps}, {"age of messages", l.MessageAge}} {
		if row.l != nil {
			all = append(all, Row{Name: row.name, Text: LoadQuantiles(*row.l)})
		}
	}
	if s.Messages > 0 {
		all = append(all, Row{Name: "messages of streams", Text: units.Rate(s.MessagesHz), Note: units.Count(s.Messages)})
	}
	for _, t := range s.Targets {
		all = append(all, Row{Name: t.Name, Text: LoadQuantiles(t.Latency), Note: fmt.Sprintf("%s right, %s failed", units.Count(t.Answered), units.Count(t.Failed))})
	}
	return all
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
		fmt.Fprintf(tw, "%s\t%.1f %%\t%s\t%s\t%s\t%s\t%s\t%s\t\n", t.Name, 100*ratio(float64(t.Answered+t.Failed), float64(all)), units.Count(t.Answered), units.Count(t.Failed),
			percentileText(t.Latency.P50, 50, t.Latency.Count), percentileText(t.Latency.P90, 90, t.Latency.Count), percentileText(t.Latency.P99, 99, t.Latency.Count),
			units.Nanos(float64(t.Latency.Max)))
	}
	tw.Flush()
	fmt.Fprintln(b)
}

// generator says what the load cost on its own side, and what it can do at best.
func generator(b *strings.Builder, s recording.Summary) {
	for _, f := range loadGenerator(s) {
		wrapped(b, f.name+": ", ", ", f.parts)
	}
}

// LoadGenerator is what the load cost on its own side and, where it was calibrated, what it can do at best.
func LoadGenerator(s recording.Summary) (facts []Row) {
	for _, f := range loadGenerator(s) {
		facts = append(facts, Row{Name: f.name, Text: strings.Join(f.parts, ", ")})
	}
	return facts
}

type namedParts struct {
	name  string
	parts []string
}

func loadGenerator(s recording.Summary) []namedParts {
	g := s.Generator
	parts := []string{fmt.Sprintf("%.0f %% of its CPU", 100*g.Busy)}
	if g.CPUPerRequest > 0 {
		parts[0] += ", " + units.Nanos(float64(g.CPUPerRequest)) + " for each request"
	}
	if g.Spin >= 0.005 {
		parts = append(parts, fmt.Sprintf("%.0f %% waiting for due moments", 100*g.Spin))
	}
	if l := s.Latencies.Lag; l != nil {
		parts = append(parts, fmt.Sprintf("send lag p99 %s max %s", units.Nanos(float64(l.P99)), units.Nanos(float64(l.Max))))
	}
	pauses := "no GC pauses"
	if n := g.Pauses.Count; n > 0 {
		pauses = fmt.Sprintf("%s GC pauses up to %s", units.Count(n), units.Nanos(float64(g.Pauses.Max)))
	}
	all := []namedParts{{"load generator", append(parts, pauses)}}
	c := s.Calibration
	if c == nil {
		return all
	}
	parts = []string{
		fmt.Sprintf("%s (this was %.0f %% of it)", units.Rate(c.CeilingHz), 100*ratio(s.AchievedHz, c.CeilingHz)),
		fmt.Sprintf("service time p50 %s p99 %s", units.Nanos(float64(c.FloorP50)), units.Nanos(float64(c.FloorP99))),
		units.Nanos(float64(c.CPUPerRequest)) + " of CPU per request",
	}
	if c.LagP99 > 0 {
		parts = append(parts, "send lag p99 "+units.Nanos(float64(c.LagP99)))
	}
	return append(all, namedParts{"at its best here", parts})
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
