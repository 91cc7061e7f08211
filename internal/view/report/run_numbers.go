package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
)

// RunNumbers are the measures of a run in the order of its report; none where nothing was answered.
func RunNumbers(r lab.Record) []Row {
	c := r.CPUNanos
	if c == nil {
		return nil
	}
	u := units.Nanoseconds.Pick(c.Value)
	interval := "too few slices for an interval"
	if c.Conf > 0 {
		interval = fmt.Sprintf("%.0f %% interval %s ... %s, over slices of %s", 100*c.Conf, units.Digits(c.Low/u.Scale), units.Digits(c.High/u.Scale), starts(max(1, r.Starts)))
	}
	all := []Row{
		{Name: "CPU per request", Text: units.Digits(c.Value/u.Scale) + " " + u.Name, Note: interval},
		{Name: "throughput", Text: units.Rate(r.RequestsPerSecond)},
	}
	if l := r.Latency; l != nil {
		kind, loop := LatencyKind(r)
		shown, rests := latencyParts(*l, loop)
		all = append(all, Row{Name: kind, Text: strings.TrimSpace(shown), Note: rests})
	}
	for _, t := range r.Targets {
		one := Row{Name: t.Name, Note: fmt.Sprintf("%s right, %s failed", units.Count(t.Answered), units.Count(t.Failed))}
		if t.Latency != nil {
			shown, _ := latencyParts(*t.Latency, "")
			one.Text = strings.TrimSpace(shown)
		}
		all = append(all, one)
	}
	if s := r.Streams; s != nil {
		all = append(all, streamFacts(*s)...)
	}
	p := r.PerRequest
	row := func(name string, parts ...string) {
		if parts = nonEmpty(parts...); len(parts) > 0 {
			all = append(all, Row{Name: name, Text: strings.Join(parts, ", ")})
		}
	}
	row("per request", optional(p.Allocs, "allocations"), optional(p.AllocBytes, "B allocated"),
		optional(p.ReadCalls, "read calls (not recv)"), optional(p.WriteCalls, "write calls (not send)"), optional(p.VoluntarySwitches, "voluntary switches"))
	resident := ""
	if r.ResidentBytes > 0 {
		resident = units.Bytes(float64(r.ResidentBytes)) + " resident at the end"
	}
	peak := ""
	if r.PeakRSSBytes > 0 {
		peak = "peak " + units.Bytes(float64(r.PeakRSSBytes))
	}
	row("memory", resident, peak)
	if s := r.Runtime; s != nil {
		row("collector", collector(s)...)
		row("goroutines", scheduler(s)...)
	}
	return all
}

// streamFacts are the numbers of answers that are streams.
func streamFacts(s lab.Streams) (all []Row) {
	if l := s.FirstByte; l != nil {
		shown, rests := latencyParts(*l, "")
		all = append(all, Row{Name: "time to first byte", Text: strings.TrimSpace(shown), Note: strings.TrimPrefix(rests, ", ")})
	}
	if s.Messages == 0 {
		return all
	}
	all = append(all, Row{Name: "messages of streams", Text: units.Rate(s.MessagesPerSecond), Note: units.Count(s.Messages)})
	if l := s.Gaps; l != nil {
		shown, _ := latencyParts(*l, "")
		all = append(all, Row{Name: "between messages", Text: strings.TrimSpace(shown)})
	}
	return all
}

// LatencyKind says what the latencies of a run are: service time in a closed loop, response time in an open one.
func LatencyKind(r lab.Record) (kind, loop string) {
	if r.RateHz > 0 {
		return "response time", "open loop"
	}
	return "service time", "closed loop"
}

func numbers(b *strings.Builder, r lab.Record) {
	tw := leftColumns(b)
	for _, f := range RunNumbers(r) {
		fmt.Fprintf(tw, "%s\t%s\n", f.Name, f)
	}
	tw.Flush()
}

func optional(v *float64, name string) string {
	if v == nil {
		return ""
	}
	return units.Digits(*v) + " " + name
}

// RunAccount is the account of all requests of a run, warm-up and profiles included; false where there were none.
func RunAccount(r lab.Record) (Row, bool) {
	return Row{Name: "requests", Text: identities(recording.AccountOf(r.Counts)), Note: "warm-up and profiles included"}, r.Counts.Scheduled > 0
}

// account prints both identities of the load, and the failures by cause.
func account(b *strings.Builder, r lab.Record) {
	f, _ := RunAccount(r)
	fmt.Fprintf(b, "%s: %s (%s)\n", f.Name, f.Text, f.Note)
	writeCauses(b, r.Causes, r.Counts.WrongStatuses)
}

// identities are those that hold for the requests of a load.
func identities(a recording.Account) string {
	return fmt.Sprintf("scheduled %s = sent %s + unsent %s; sent = answered %s + failed %s + unanswered %s",
		units.Count(a.Scheduled), units.Count(a.Sent), units.Count(a.Unsent), units.Count(a.Answered), units.Count(a.Failed), units.Count(a.Unanswered))
}

// Causes has a row for each cause of failures, the most frequent first and causes of equal counts by their names; wrong
// statuses are named.
func Causes(causes map[string]uint64, statuses load.Statuses) []Row {
	var all []Row
	for _, name := range slices.SortedFunc(maps.Keys(causes), func(x, y string) int {
		return cmp.Or(cmp.Compare(causes[y], causes[x]), cmp.Compare(x, y))
	}) {
		all = append(all, Row{Name: name, Text: units.Count(causes[name]) + statuses.Of(name)})
	}
	return all
}

func writeCauses(b *strings.Builder, causes map[string]uint64, statuses load.Statuses) {
	for _, f := range Causes(causes, statuses) {
		fmt.Fprintf(b, "error: %s: %s\n", f.Name, f.Text)
	}
}

// RunOutput is how much a run's program wrote; false if it wrote nothing.
func RunOutput(r lab.Record) (Row, bool) {
	o := r.Output
	if o == nil {
		return Row{}, false
	}
	text := fmt.Sprintf("the program wrote %s in %s", octets(o.Written), starts(max(1, r.Starts)))
	if o.Dropped > 0 {
		text += ", too much to keep: the beginning and the end of the latest are kept"
	}
	return Row{Name: "output", Text: text}, true
}

// RunNeeds says which programs a run's program needed, and what they cost beside it; false if it needed none.
func RunNeeds(r lab.Record) (Row, bool) {
	if len(r.Needs) == 0 {
		return Row{}, false
	}
	var parts []string
	for _, n := range r.Needs {
		text := fmt.Sprintf("%s (PID %d", n.Name, n.PID)
		if n.Starts > 1 {
			text = fmt.Sprintf("%s (%s, the latest PID %d", n.Name, starts(n.Starts), n.PID)
		}
		parts = append(parts, fmt.Sprintf("%s, %s of CPU in the timed slices)", text, units.Seconds(n.CPU)))
	}
	return Row{Name: "needs", Text: strings.Join(parts, ", ") + "; on the program's CPUs, and not in its CPU time"}, true
}

// RunMetrics says which time series were recorded with a run; false if none were.
func RunMetrics(r lab.Record) (Row, bool) {
	m := r.Metrics
	if m == nil {
		return Row{}, false
	}
	page := "no page of the program's own was found; --metrics URL names one"
	if m.Page != "" {
		page = "those of the program at " + m.Page
	}
	return Row{Name: "metrics", Text: fmt.Sprintf("%s time series, a value every %v (%s): hone metrics query up --run %s", units.Count(uint64(m.Series)), m.Interval, page, r.ID)}, true
}
