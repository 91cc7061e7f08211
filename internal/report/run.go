package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/advice"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/recording"
	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
)

// Conditions is the line that says under which load and where a run was taken.
func Conditions(r lab.Record) string { return "under: " + strings.Join(conditionsOf(r), "; ") }

// underLines writes them on lines that are not too wide.
func underLines(b *strings.Builder, r lab.Record) { wrapped(b, "under: ", "; ", conditionsOf(r)) }

func conditionsOf(r lab.Record) []string {
	loop := "closed loop: a new request for each answer"
	if r.RateHz > 0 {
		loop = "open loop: requests are due at " + units.Rate(r.RateHz) + ", whatever the answers do"
	}
	parts := nonEmpty(r.Target, connectionsText(r.Plan), loop)
	if r.Slices > 0 {
		parts = append(parts, fmt.Sprintf("%s of %v (short parts of the load)", plural(r.Slices, "slice"), r.Slice))
	}
	if e := r.Environment; len(e.SubjectCPUs) > 0 {
		parts = append(parts, fmt.Sprintf("the program on CPU %s, the load generator on CPU %s", list(e.SubjectCPUs), list(e.GeneratorCPUs)))
	}
	if r.Arrangement != lab.Single && r.Arrangement != lab.Ports {
		parts = append(parts, string(r.Arrangement))
	}
	return parts
}

// connectionsText says how many connections there are and how they are used.
func connectionsText(p load.Plan) string {
	each := "each with 1 request at a time"
	if p.Connections == 1 {
		each = "1 request at a time"
	}
	if p.Depth > 1 {
		each = strings.Replace(each, "1 request at a time", fmt.Sprintf("up to %d requests outstanding", p.Depth), 1)
	}
	return fmt.Sprintf("%s, %s (depth %d)", plural(max(0, p.Connections), "connection"), each, max(1, p.Depth))
}

func list(cpus []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(cpus), " ", ","), "[]")
}

// detail is how much a report says.
type detail int

const (
	// brief is for the end of a measurement: what was off is said, what was not is left out.
	brief detail = iota
	// full is for hone show.
	full
)

// Run writes one run that has just ended: the check first, then the numbers, then what was found; nil where it was not looked for.
func Run(w io.Writer, r lab.Record, found *advice.Findings) error {
	return writeRun(w, r, found, brief)
}

// ShowRun writes a stored run with all that is known of it.
func ShowRun(w io.Writer, r lab.Record, found *advice.Findings) error {
	return writeRun(w, r, found, full)
}

func writeRun(w io.Writer, r lab.Record, found *advice.Findings, d detail) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s%s\n", r.Label, source(r.Head, layouts(r)))
	if text := places([]lab.Record{r}); text != "" {
		fmt.Fprintln(b, text)
	}
	underLines(b, r)
	if r.Why != "" {
		fmt.Fprintf(b, "note: %s\n", r.Why)
	}
	if r.Assumption != "" {
		fmt.Fprintf(b, "note: %s\n", r.Assumption)
	}
	fmt.Fprintln(b, runCheck(r, d))
	disturbed(b, []lab.Record{r})
	doubts(b, []lab.Record{r})
	if r.CPUNanos != nil {
		numbers(b, r)
	}
	accounts(b, []lab.Record{r}, d)
	outputs(b, []lab.Record{r}, d)
	if m := r.Metrics; m != nil {
		page := "no page of the program's own was found; --metrics URL names one"
		if m.Page != "" {
			page = "those of the program at " + m.Page
		}
		fmt.Fprintf(b, "metrics          %s time series, a value every %v (%s): hone metrics query up --run %s\n", units.Count(uint64(m.Series)), m.Interval, page, r.ID)
	}
	for _, line := range waitLines(r.Waits) {
		fmt.Fprintln(b, line)
	}
	for _, line := range HotLines(r.Hot, len(r.Hot)) {
		fmt.Fprintf(b, "hot: %s\n", line)
	}
	for _, line := range FindingLines(found, r.ID, shownFindings) {
		fmt.Fprintln(b, line)
	}
	if slices.Contains(r.Profiles, "cpu") {
		fmt.Fprintf(b, "next: hone profile top %s, hone profile blame %s (whose garbage it is),\n      ", r.ID, r.ID)
		if r.Waits != nil {
			fmt.Fprintf(b, "hone tail %s (what requests wait for), ", r.ID)
		}
	} else {
		b.WriteString("next: ")
	}
	fmt.Fprintf(b, "hone show %s (profiles and logs), hone compare with another variant,\n      hone help words (what the words here mean)\n", r.ID)
	return write(w, b)
}

func runCheck(r lab.Record, d detail) string {
	if r.Status != ledger.Complete && r.Status != ledger.Invalid {
		return fmt.Sprintf("measurement %s: %s", r.Status, reason(r.Reason, r.ID, d))
	}
	if d := load.Invalid(r.Doubts); d != nil {
		return "measurement INVALID: " + d.Text
	}
	if r.Status == ledger.Invalid { // it ended before anything was timed
		return "measurement INVALID: " + reason(r.Reason, r.ID, d)
	}
	return fmt.Sprintf("%sload generator at %.0f %% of its CPU, replies %s %% right%s", checkWord(wasDisturbed(r)),
		100*r.GeneratorBusy, share(r.RightShare), steal(r.Environment.StealShare))
}

func numbers(b *strings.Builder, r lab.Record) {
	tw := leftColumns(b)
	c := r.CPUNanos
	u := units.Nanoseconds.Pick(c.Value)
	interval := "too few slices for an interval"
	if c.Conf > 0 {
		interval = fmt.Sprintf("%.0f %% interval %s ... %s, over slices of %s", 100*c.Conf, units.Digits(c.Low/u.Scale), units.Digits(c.High/u.Scale), starts(max(1, r.Starts)))
	}
	fmt.Fprintf(tw, "CPU per request\t%s %s  (%s)\n", units.Digits(c.Value/u.Scale), u.Name, interval)
	fmt.Fprintf(tw, "throughput\t%s\n", units.Rate(r.RequestsPerSecond))
	if l := r.Latency; l != nil {
		kind, loop := "service time", "closed loop"
		if r.RateHz > 0 {
			kind, loop = "response time", "open loop"
		}
		fmt.Fprintf(tw, "%s\t%s\n", kind, strings.TrimSpace(runLatency(*l, loop)))
	}
	p := r.PerRequest
	row := func(name string, parts ...string) {
		if parts = nonEmpty(parts...); len(parts) > 0 {
			fmt.Fprintf(tw, "%s\t%s\n", name, strings.Join(parts, ", "))
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
	tw.Flush()
}

func optional(v *float64, name string) string {
	if v == nil {
		return ""
	}
	return units.Digits(*v) + " " + name
}

// reason is why a measurement ended. At its end the error has said it in full on standard
// error, with what a program wrote; its first line is enough then.
func reason(text, id string, d detail) string {
	first, _, more := strings.Cut(text, "\n")
	if d == full || !more {
		return text
	}
	return fmt.Sprintf("%s (in full: hone show %s)", strings.TrimSuffix(first, ":"), id)
}

// accounts prints the account of each run: where something is off, or in full.
func accounts(b *strings.Builder, runs []lab.Record, d detail) {
	for i, r := range runs {
		c := r.Counts
		off := c.Failed+c.Stray+c.Unanswered+c.Unsent > 0 || c.Balance() != nil
		if c.Scheduled == 0 || !off && d == brief {
			continue
		}
		b.WriteString(about(i, len(runs)))
		account(b, r)
	}
}

// outputs prints how much each program wrote, if anything.
func outputs(b *strings.Builder, runs []lab.Record, d detail) {
	for i, r := range runs {
		if r.Output == nil || d == brief {
			continue
		}
		fmt.Fprintf(b, "%soutput: the program wrote %s in %s", about(i, len(runs)), octets(r.Output.Written), starts(max(1, r.Starts)))
		if r.Output.Dropped > 0 {
			b.WriteString(", too much to keep: the beginning and the end of the latest are kept")
		}
		fmt.Fprintln(b)
	}
}

// account prints both identities of the load, and the failures by cause.
func account(b *strings.Builder, r lab.Record) {
	fmt.Fprintf(b, "requests: %s (warm-up and profiles included)\n", identities(recording.AccountOf(r.Counts)))
	writeCauses(b, r.Causes, r.Counts.WrongStatuses)
}

// identities are those that hold for the requests of a load.
func identities(a recording.Account) string {
	return fmt.Sprintf("scheduled %s = sent %s + unsent %s; sent = answered %s + failed %s + unanswered %s",
		units.Count(a.Scheduled), units.Count(a.Sent), units.Count(a.Unsent), units.Count(a.Answered), units.Count(a.Failed), units.Count(a.Unanswered))
}

// writeCauses has a line for each cause of failures, the most frequent first and causes of
// equal counts by their names; wrong statuses are named.
func writeCauses(b *strings.Builder, causes map[string]uint64, statuses load.Statuses) {
	names := slices.SortedFunc(maps.Keys(causes), func(x, y string) int {
		return cmp.Or(cmp.Compare(causes[y], causes[x]), cmp.Compare(x, y))
	})
	for _, name := range names {
		fmt.Fprintf(b, "error: %s: %s%s\n", name, units.Count(causes[name]), statuses.Of(name))
	}
}

// HotLines are the most expensive sites of a CPU profile, at most so many, with the samples that
// their shares rest on. Of too few samples there are no shares, and no sites of one sample
// but the first:
//
//	41 % of CPU in Syscall under net.(*conn).Read  framed/raw.go:41  (63 of 152 samples)
//	3 of 9 samples of CPU in main.run  prog/main.go:9  (too few for shares)
func HotLines(costs []prof.Cost, most int) []string {
	var lines []string
	for _, c := range costs[:min(len(costs), most)] {
		place := c.What
		if c.File != "" {
			place += fmt.Sprintf("  %s:%d", prof.ShortFile(c.File), c.Line)
		}
		switch {
		case c.Of <= 0: // a document of before samples were counted
			lines = append(lines, fmt.Sprintf("%.0f %% of CPU in %s", c.Share, place))
		case c.Of < prof.FewestSamples:
			if c.Samples > 1 || len(lines) == 0 {
				lines = append(lines, fmt.Sprintf("%d of %s of CPU in %s  (too few for shares)", c.Samples, plural(int(c.Of), "sample"), place))
			}
		default:
			lines = append(lines, fmt.Sprintf("%.0f %% of CPU in %s  (%s of %s)", c.Share, place, units.Count(uint64(c.Samples)), plural(int(c.Of), "sample")))
		}
	}
	return lines
}
