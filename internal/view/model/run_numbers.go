package model

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// runNumbers are the measures of a run in the order of its report; none where nothing was answered.
func runNumbers(r record.Run) []Row {
	if r.CPUNanos == nil {
		return nil
	}
	cpu := cpuRow(*r.CPUNanos)
	if r.CPUNanos.Conf > 0 {
		cpu.Note += ", over slices of " + Starts(max(1, r.Starts))
	}
	all := []Row{cpu, {Name: "throughput", Text: units.Rate(r.RequestsPerSecond)}}
	if l := r.Latency; l != nil {
		kind, loop := RunLatencyKind(r)
		shown, rests := LatencyParts(*l, loop)
		all = append(all, Row{Name: kind, Text: strings.TrimSpace(shown), Parts: quantileParts(shown), Note: rests})
	}
	all = append(all, targetRows(r.Targets)...)
	if s := r.Streams; s != nil {
		all = append(all, streamFacts(*s)...)
	}
	p := r.PerRequest
	row := func(name string, parts ...string) {
		if parts = NonEmpty(parts...); len(parts) > 0 {
			all = append(all, Row{Name: name, Text: strings.Join(parts, ", "), Parts: parts})
		}
	}
	row("per request", optional(p.Allocs, "allocations"), optional(p.AllocBytes, "B allocated"),
		optional(p.ReadCalls, "read calls (recv not counted)"),
		optional(p.WriteCalls, "write calls (send not counted)"), optional(p.VoluntarySwitches, "voluntary switches"))
	row("start", listened(r))
	row("memory", sized(r.ResidentBytes, "", " resident at the end"), sized(r.PeakRSSBytes, "peak ", ""))
	all = append(all, memoryRows(r)...)
	if row, ok := boxRow(r); ok {
		all = append(all, row)
	}
	all = append(all, growthRows(r)...)
	if s := r.Runtime; s != nil {
		row("collector", Collector(s)...)
		row("goroutines", Scheduler(s)...)
	}
	return all
}

// mainNumbers are those that most people look for first; none where nothing was answered.
func mainNumbers(r record.Run) []Row {
	if r.CPUNanos == nil {
		return nil
	}
	all := []Row{cpuRow(*r.CPUNanos), {Name: "throughput", Text: units.Rate(r.RequestsPerSecond)}}
	if l := r.Latency; l != nil {
		kind, loop := RunLatencyKind(r)
		row := Row{Name: kind, Note: loop}
		if quantiles := RunQuantiles(*l); l.Count > 0 {
			row.Text = fmt.Sprintf("p50 %s  p99 %s", QuantileText(quantiles[0]), QuantileText(quantiles[2]))
		}
		all = append(all, row)
	}
	all = append(all, targetRows(r.Targets)...)
	if s := r.Streams; s != nil {
		all = append(all, streamFacts(*s)...)
	}
	if memory := NonEmpty(sized(r.ResidentBytes, "", " resident"),
		sized(r.PeakRSSBytes, "peak ", "")); len(memory) > 0 {
		all = append(all, Row{Name: "memory", Text: strings.Join(memory, ", ")})
	}
	all = append(all, memoryRows(r)...)
	if text := listened(r); text != "" {
		all = append(all, Row{Name: "start", Text: text})
	}
	if row, ok := boxRow(r); ok {
		all = append(all, row)
	}
	all = append(all, growthRows(r)...)
	return all
}

// cpuRow is the CPU time of a request with its interval.
func cpuRow(c record.Interval) Row {
	u := units.Nanoseconds.Pick(c.Value)
	row := Row{Name: "CPU per request", Text: units.Digits(c.Value/u.Scale) + " " + u.Name,
		Note: "too few slices for an interval"}
	if c.Conf > 0 {
		row.Note = fmt.Sprintf("%.0f %% interval %s ... %s", 100*c.Conf, units.Digits(c.Low/u.Scale),
			units.Digits(c.High/u.Scale))
	}
	return row
}

// targetRows has a row for each of several targets.
func targetRows(targets []record.TargetRow) (all []Row) {
	for _, t := range targets {
		one := Row{Name: t.Name, Note: fmt.Sprintf("%s right, %s failed", units.Count(t.Answered),
			units.Count(t.Failed))}
		if t.Latency != nil {
			shown, _ := LatencyParts(*t.Latency, "")
			one.Text, one.Parts = strings.TrimSpace(shown), quantileParts(shown)
		}
		all = append(all, one)
	}
	return all
}

// listened says how long a process took to start; empty where that is not known.
func listened(r record.Run) string {
	if r.ReadyAfter == 0 {
		return ""
	}
	return units.Nanos(float64(r.ReadyAfter)) + " until it listens"
}

// sized is a number of bytes between two texts; empty for none.
func sized(n uint64, before, after string) string {
	if n == 0 {
		return ""
	}
	return before + units.Bytes(float64(n)) + after
}

// streamFacts are the numbers of answers that are streams.
func streamFacts(s record.Streams) (all []Row) {
	if l := s.FirstByte; l != nil {
		shown, rests := LatencyParts(*l, "")
		all = append(all, Row{Name: "time to first byte", Text: strings.TrimSpace(shown), Parts: quantileParts(shown),
			Note: strings.TrimPrefix(rests, ", ")})
	}
	if s.Messages == 0 {
		return all
	}
	all = append(all, Row{Name: "messages of streams", Text: units.Rate(s.MessagesPerSecond),
		Note: units.Count(s.Messages)})
	if l := s.Gaps; l != nil {
		shown, _ := LatencyParts(*l, "")
		if l.Max <= 1 { // what load keeps of messages that come in one read
			shown = "0: they came together"
		}
		all = append(all, Row{Name: "between messages", Text: strings.TrimSpace(shown), Parts: quantileParts(shown)})
	}
	return all
}

// RunLatencyKind says what the latencies of a run are: service time in a closed loop, response time in an open one.
func RunLatencyKind(r record.Run) (kind, loop string) {
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
func runMetrics(r record.Run, _ Detail) (Row, bool) {
	m := r.Metrics
	if m == nil {
		return Row{}, false
	}
	page := "hone found no /metrics page of the program; --metrics URL names one"
	if m.Page != "" {
		page = "those of the program at " + m.Page
	}
	return Row{Name: "metrics",
		Text: fmt.Sprintf("%s time series, a value every %v (%s): hone metrics query up --run %s, by an extension that "+
			"hone --help lists",
			units.Count(uint64(m.Series)), m.Interval, page, r.ID)}, true
}
