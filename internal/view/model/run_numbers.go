package model

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/text/units"
)

// runNumbers are the measures of a run in the order of its report; none where nothing was answered.
func runNumbers(r lab.Record) []Row {
	c := r.CPUNanos
	if c == nil {
		return nil
	}
	u := units.Nanoseconds.Pick(c.Value)
	interval := "too few slices for an interval"
	if c.Conf > 0 {
		interval = fmt.Sprintf("%.0f %% interval %s ... %s, over slices of %s", 100*c.Conf, units.Digits(c.Low/u.Scale), units.Digits(c.High/u.Scale), Starts(max(1, r.Starts)))
	}
	all := []Row{
		{Name: "CPU per request", Text: units.Digits(c.Value/u.Scale) + " " + u.Name, Note: interval},
		{Name: "throughput", Text: units.Rate(r.RequestsPerSecond)},
	}
	if l := r.Latency; l != nil {
		kind, loop := RunLatencyKind(r)
		shown, rests := LatencyParts(*l, loop)
		all = append(all, Row{Name: kind, Text: strings.TrimSpace(shown), Note: rests})
	}
	for _, t := range r.Targets {
		one := Row{Name: t.Name, Note: fmt.Sprintf("%s right, %s failed", units.Count(t.Answered), units.Count(t.Failed))}
		if t.Latency != nil {
			shown, _ := LatencyParts(*t.Latency, "")
			one.Text = strings.TrimSpace(shown)
		}
		all = append(all, one)
	}
	if s := r.Streams; s != nil {
		all = append(all, streamFacts(*s)...)
	}
	p := r.PerRequest
	row := func(name string, parts ...string) {
		if parts = NonEmpty(parts...); len(parts) > 0 {
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
		row("collector", Collector(s)...)
		row("goroutines", Scheduler(s)...)
	}
	return all
}

// streamFacts are the numbers of answers that are streams.
func streamFacts(s lab.Streams) (all []Row) {
	if l := s.FirstByte; l != nil {
		shown, rests := LatencyParts(*l, "")
		all = append(all, Row{Name: "time to first byte", Text: strings.TrimSpace(shown), Note: strings.TrimPrefix(rests, ", ")})
	}
	if s.Messages == 0 {
		return all
	}
	all = append(all, Row{Name: "messages of streams", Text: units.Rate(s.MessagesPerSecond), Note: units.Count(s.Messages)})
	if l := s.Gaps; l != nil {
		shown, _ := LatencyParts(*l, "")
		all = append(all, Row{Name: "between messages", Text: strings.TrimSpace(shown)})
	}
	return all
}

// RunLatencyKind says what the latencies of a run are: service time in a closed loop, response time in an open one.
func RunLatencyKind(r lab.Record) (kind, loop string) {
	if r.RateHz > 0 {
		return "response time", "open loop"
	}
	return "service time", "closed loop"
}

func optional(v *float64, name string) string {
	if v == nil {
		return ""
	}
	return units.Digits(*v) + " " + name
}

// runMetrics says which time series were recorded with a run; false if none were.
func runMetrics(r lab.Record, _ Detail) (Row, bool) {
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
