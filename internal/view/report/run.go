package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
)

// Conditions is the line that says under which load and where a run was taken.
func Conditions(r lab.Record) string { return "under: " + strings.Join(Under(r), "; ") }

// underLines writes them on lines that are not too wide.
func underLines(b *strings.Builder, r lab.Record) { wrapped(b, "under: ", "; ", Under(r)) }

// Under is each condition by itself.
func Under(r lab.Record) []string {
	loop := "closed loop: a new request for each answer"
	if r.RateHz > 0 {
		loop = "open loop: requests are due at " + units.Rate(r.RateHz) + ", whatever the answers do"
	}
	parts := nonEmpty(r.Target, mixText(r), connectionsText(r.Plan), loop)
	if r.Load != nil {
		parts = loadCommandParts(r)
	}
	parts = append(parts, agentParts(r)...)
	if r.Slices > 0 && r.Load == nil {
		parts = append(parts, fmt.Sprintf("%s of %v (short parts of the load)", plural(r.Slices, "slice"), r.Slice))
	}
	if e := r.Environment; len(e.SubjectCPUs) > 0 {
		other := "the load generator"
		if len(r.Agents) > 0 {
			other = "hone"
		}
		parts = append(parts, fmt.Sprintf("the program on CPU %s, %s on CPU %s", list(e.SubjectCPUs), other, list(e.GeneratorCPUs)))
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
	r, found = printable.Document(r), printable.Document(found)
	return writeRun(w, r, found, brief)
}

// ShowRun writes a stored run with all that is known of it.
func ShowRun(w io.Writer, r lab.Record, found *advice.Findings) error {
	r, found = printable.Document(r), printable.Document(found)
	return writeRun(w, r, found, full)
}

func writeRun(w io.Writer, r lab.Record, found *advice.Findings, d detail) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s%s\n", r.Label, source(r.Head))
	if text := places([]lab.Record{r}); text != "" {
		fmt.Fprintln(b, text)
	}
	underLines(b, r)
	for _, n := range RunAssumed(r) {
		fmt.Fprintln(b, n)
	}
	fmt.Fprintln(b, runCheck(r, d))
	for _, n := range RunDoubts(r) {
		fmt.Fprintln(b, n)
	}
	if r.CPUNanos != nil {
		numbers(b, r)
	}
	accounts(b, []lab.Record{r}, d)
	outputs(b, []lab.Record{r}, d)
	needed(b, []lab.Record{r})
	if m, ok := RunMetrics(r); ok {
		fmt.Fprintf(b, "%-16s %s\n", m.Name, m.Text)
	}
	for _, line := range waitLines(r.Waits) {
		fmt.Fprintln(b, line)
	}
	for _, line := range HotLines(r.Hot, len(r.Hot)) {
		fmt.Fprintf(b, "hot: %s\n", line)
	}
	for _, line := range FindingLines(found, r.Command.Stored("advise", r.ID), shownFindings) {
		fmt.Fprintln(b, line)
	}
	if slices.Contains(r.Profiles, "cpu") {
		fmt.Fprintf(b, "next: %s, %s (whose garbage it is),\n      ", r.Command.Stored("profile", "top", r.ID), r.Command.Stored("profile", "blame", r.ID))
		if r.Waits != nil {
			fmt.Fprintf(b, "%s (what requests wait for), ", r.Command.Stored("tail", r.ID))
		}
	} else {
		b.WriteString("next: ")
	}
	fmt.Fprintf(b, "%s (profiles and logs), hone compare with another variant,\n      hone help words (what the words here mean)\n", r.Command.Stored("show", r.ID))
	return write(w, b)
}

// RunCheck says whether a run can be trusted, with the whole reason where it cannot.
func RunCheck(r lab.Record) string { return runCheck(r, full) }

// RunAssumed says what hone chose or found out by itself.
func RunAssumed(r lab.Record) []Note {
	var all []Note
	for _, text := range nonEmpty(r.Why, r.Assumption, loadCommandUnknown(r)) {
		all = append(all, Note{"note", text})
	}
	return all
}

// RunDoubts are what the machine did to a run, its doubts and its warnings. The fatal doubt is in its check.
func RunDoubts(r lab.Record) []Note {
	return append(disturbedNotes([]lab.Record{r}), doubtNotes([]lab.Record{r})...)
}

func runCheck(r lab.Record, d detail) string {
	if r.Status != ledger.Complete && r.Status != ledger.Invalid {
		return strings.TrimSuffix(fmt.Sprintf("measurement %s: %s", r.Status, reason(r.Reason, r.ID, d)), ": ")
	}
	if d := load.Invalid(r.Doubts); d != nil {
		return "measurement INVALID: " + d.Text
	}
	if r.Status == ledger.Invalid { // it ended before anything was timed
		return "measurement INVALID: " + reason(r.Reason, r.ID, d)
	}
	if r.Load != nil {
		return checkWord(wasDisturbed(r)) + loadCommandCheck(r.GeneratorBusy) + steal(r.Environment.StealShare)
	}
	return fmt.Sprintf("%sload generator at %.0f %% of its CPU, replies %s %% right%s", checkWord(wasDisturbed(r)),
		100*r.GeneratorBusy, share(r.RightShare), steal(r.Environment.StealShare))
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
		if r.Load != nil {
			continue // of its operations
		}
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
		if o, ok := RunOutput(r); ok && d == full {
			fmt.Fprintf(b, "%s%s: %s\n", about(i, len(runs)), o.Name, o.Text)
		}
	}
}

// needed prints what the programs needed.
func needed(b *strings.Builder, runs []lab.Record) {
	for i, r := range runs {
		if n, ok := RunNeeds(r); ok {
			fmt.Fprintf(b, "%s%s: %s\n", about(i, len(runs)), n.Name, n.Text)
		}
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
		case c.Of <= 0: // a document from a time when samples were not counted
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
