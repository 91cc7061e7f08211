package report

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
)

// Conditions is the line that says under which load and where a run was taken.
func Conditions(r lab.Record) string {
	loop := "closed loop"
	if r.RateHz > 0 {
		loop = "open loop at " + units.Rate(r.RateHz)
	}
	parts := []string{r.Target, fmt.Sprintf("%d connections, depth %d, %s", r.Plan.Connections, r.Plan.Depth, loop)}
	parts = append(parts, fmt.Sprintf("%d slices of %v", r.Slices, r.Slice))
	if e := r.Environment; len(e.SubjectCPUs) > 0 {
		parts = append(parts, fmt.Sprintf("subject on CPU %s, generator on %s", list(e.SubjectCPUs), list(e.GeneratorCPUs)))
	}
	switch r.Arrangement {
	case lab.Single, lab.Ports:
	default:
		parts = append(parts, string(r.Arrangement))
	}
	return "under: " + strings.Join(parts, "; ")
}

func list(cpus []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(cpus), " ", ","), "[]")
}

// Run writes one run: the check first, then the numbers.
func Run(w io.Writer, r lab.Record) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s%s\n", r.Label, source(r))
	fmt.Fprintln(b, Conditions(r))
	if r.Why != "" {
		fmt.Fprintf(b, "note: %s\n", r.Why)
	}
	if r.Assumption != "" {
		fmt.Fprintf(b, "note: %s\n", r.Assumption)
	}
	fmt.Fprintln(b, runCheck(r))
	doubts(b, []lab.Record{r})
	if r.CPUNanos != nil {
		numbers(b, r)
	}
	if r.Counts.Scheduled > 0 {
		account(b, r)
	}
	if m := r.Metrics; m != nil {
		page := "none of its own found; --metrics URL names one"
		if m.Page != "" {
			page = m.Page
		}
		fmt.Fprintf(b, "metrics          %d time series, every %v (the program's page: %s): hone metrics query up --run %s\n", m.Series, m.Interval, page, r.ID)
	}
	for _, h := range r.Hot {
		fmt.Fprintf(b, "hot: %s\n", HotLine(h))
	}
	if len(r.Profiles) > 0 {
		fmt.Fprintf(b, "next: hone profile top %s, hone profile blame %s (whose garbage it is),\n      ", r.ID, r.ID)
	} else {
		b.WriteString("next: ")
	}
	fmt.Fprintf(b, "hone show %s (profiles and logs), or hone compare with another variant\n", r.ID)
	_, err := io.WriteString(w, b.String())
	return err
}

func runCheck(r lab.Record) string {
	if r.Status != ledger.Complete && r.Status != ledger.Invalid {
		return fmt.Sprintf("measurement %s: %s", r.Status, r.Reason)
	}
	if d := load.Invalid(r.Doubts); d != nil {
		return "measurement INVALID: " + d.Text
	}
	if r.Status == ledger.Invalid { // it ended before anything was timed
		return "measurement INVALID: " + r.Reason
	}
	text := fmt.Sprintf("measurement ok: generator at %.0f %% of its CPU, replies %s %% right", 100*r.GeneratorBusy, share(r.RightShare))
	if s := r.Environment.StealShare; s >= 0.005 {
		text += fmt.Sprintf(", host steal %.1f %%", 100*s)
	}
	return text
}

func numbers(b *strings.Builder, r lab.Record) {
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	c := r.CPUNanos
	u := units.Nanoseconds.Pick(c.Value)
	interval := "too few slices for an interval"
	if c.Conf > 0 {
		interval = fmt.Sprintf("%.0f %% interval %s ... %s, over slices of %s", 100*c.Conf, units.Digits(c.Low/u.Scale), units.Digits(c.High/u.Scale), starts(r.Starts))
	}
	fmt.Fprintf(tw, "CPU per request\t%s %s  (%s)\n", units.Digits(c.Value/u.Scale), u.Name, interval)
	fmt.Fprintf(tw, "throughput\t%s\n", units.Rate(r.RequestsPerSecond))
	if l := r.Latency; l != nil {
		kind, loop := "service time", "closed loop"
		if r.RateHz > 0 {
			kind, loop = "response time", "open loop"
		}
		fmt.Fprintf(tw, "%s\tp50 %s  p90 %s  p99 %s  p99.9 %s  max %s  (%s)\n", kind, units.Nanos(float64(l.P50)),
			units.Nanos(float64(l.P90)), units.Nanos(float64(l.P99)), units.Nanos(float64(l.P999)), units.Nanos(float64(l.Max)), loop)
	}
	p := r.PerRequest
	row := func(name string, parts ...string) {
		var known []string
		for _, part := range parts {
			if part != "" {
				known = append(known, part)
			}
		}
		if len(known) > 0 {
			fmt.Fprintf(tw, "%s\t%s\n", name, strings.Join(known, ", "))
		}
	}
	row("per request", optional(p.Allocs, "allocations"), optional(p.AllocBytes, "B allocated"),
		optional(p.ReadCalls, "reads"), optional(p.WriteCalls, "writes"), optional(p.VoluntarySwitches, "voluntary switches"))
	resident := ""
	if r.ResidentBytes > 0 {
		resident = units.Bytes(float64(r.ResidentBytes)) + " resident at the end"
	}
	row("memory", resident, "peak "+units.Bytes(float64(r.PeakRSSBytes)))
	if s := r.Runtime; s != nil {
		row("collector", collector(s)...)
		row("goroutines", scheduler(s)...)
	}
	tw.Flush()
}

func optional(v *float64, name string) string {
	if v == nil {
		return ""
	}
	return units.Digits(*v) + " " + name
}

// account prints both identities of the load, and the failures by cause.
func account(b *strings.Builder, r lab.Record) {
	c := r.Counts
	fmt.Fprintf(b, "requests: scheduled %s = sent %s + unsent %s; sent = answered %s + failed %s + unanswered %s (warm-up and profiles included)\n",
		units.Count(c.Scheduled), units.Count(c.Sent), units.Count(c.Unsent), units.Count(c.Answered), units.Count(c.Failed), units.Count(c.Unanswered))
	var names []string
	for name := range r.Causes {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool { return r.Causes[names[i]] > r.Causes[names[j]] })
	for _, name := range names {
		fmt.Fprintf(b, "error: %s: %s\n", name, units.Count(r.Causes[name]))
	}
}

// HotLine is one dear site of a CPU profile.
func HotLine(e prof.Cost) string {
	line := fmt.Sprintf("%.0f %% of CPU in %s", e.Share, e.What)
	if e.File != "" {
		line += fmt.Sprintf("  %s:%d", prof.ShortFile(e.File), e.Line)
	}
	return line
}
