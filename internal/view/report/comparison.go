package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/load"
)

// Comparison writes a comparison of two or more variants: under which conditions, what
// became of each and of the gates, the measurement check, why, all measures, and the next
// command. A bad measurement is said before any number.
func Comparison(w io.Writer, c *lab.ComparisonRecord, runs []lab.Record) error {
	c, runs = printable.Document(c), printable.Document(runs)
	return writeComparison(w, c, runs, brief)
}

// ShowComparison writes a stored comparison with all that is known of it.
func ShowComparison(w io.Writer, c *lab.ComparisonRecord, runs []lab.Record) error {
	c, runs = printable.Document(c), printable.Document(runs)
	return writeComparison(w, c, runs, full)
}

func writeComparison(w io.Writer, c *lab.ComparisonRecord, runs []lab.Record, d detail) error {
	b := &strings.Builder{}
	if HasVerdict(c) {
		withVerdict(b, c, runs, d)
	} else {
		withoutVerdict(b, c, runs, d)
	}
	return write(w, b)
}

// NotTogether is the note on a difference between runs of different times.
const NotTogether = "A and B were not taken together: their difference is only indicative, since it also holds what changed on the machine in between"

// HasVerdict says whether anything was compared.
func HasVerdict(c *lab.ComparisonRecord) bool {
	return len(c.Contests) > 0 && c.Word != compare.Invalid &&
		!slices.ContainsFunc(c.Contests, func(contest lab.Contest) bool { return contest.Word == compare.Invalid })
}

// verdicts are the sentence of each contest, why the comparison ended, its gates, and what to do next about an open one.
func verdicts(b *strings.Builder, c *lab.ComparisonRecord) {
	for _, contest := range c.Contests {
		fmt.Fprintln(b, ContestSentence(contest))
	}
	fmt.Fprintln(b, Stopped(c))
	gates(b, c)
	for _, line := range NextSteps(c) {
		fmt.Fprintln(b, line)
	}
}

// fewerCPUs says that the programs had fewer CPUs than the machine has: what gains by more of them is not seen.
func fewerCPUs(runs []lab.Record) string {
	if len(runs) == 0 {
		return ""
	}
	e := runs[0].Environment
	n, all := len(e.SubjectCPUs), e.Description.CPUs
	if n == 0 || n >= all {
		return ""
	}
	return fmt.Sprintf("each program had %d of the %d CPUs of this machine: what pays only with more of them is not in these figures", n, all)
}

func withVerdict(b *strings.Builder, c *lab.ComparisonRecord, runs []lab.Record, d detail) {
	variants(b, runs)
	if indicative(c) {
		fmt.Fprintln(b, NotTogether)
	}
	verdicts(b, c)
	if note := fewerCPUs(runs); note != "" {
		fmt.Fprintln(b, note)
	}
	for _, line := range answers(c, runs) {
		fmt.Fprintln(b, line)
	}
	fmt.Fprintln(b, Check(c, runs))
	checkNotes(b, c, runs, d)
	why(b, c)
	tables(b, c, Heads(runs))
	next(b, c, Heads(runs))
}

// checkNotes are what stands below the check.
func checkNotes(b *strings.Builder, c *lab.ComparisonRecord, runs []lab.Record, d detail) {
	selfDoubts(b, c)
	disturbed(b, runs)
	doubts(b, runs)
	accounts(b, runs, d)
	outputs(b, runs, d)
	needed(b, runs)
}

// withoutVerdict says first that there is nothing to conclude, and last what was kept.
func withoutVerdict(b *strings.Builder, c *lab.ComparisonRecord, runs []lab.Record, d detail) {
	said, lines := noVerdictFor(c, runs, d)
	fmt.Fprintln(b, said)
	for _, line := range lines {
		fmt.Fprintln(b, line)
	}
	variants(b, runs)
	accounts(b, runs, d)
	outputs(b, runs, d)
	needed(b, runs)
	if text := kept(runs); text != "" {
		fmt.Fprintln(b, text)
	}
	next(b, c, Heads(runs))
}

// noVerdictFor says why a comparison has no verdict, and names the variant that the reason is about. The lines are further
// doubts about the runs.
func noVerdictFor(c *lab.ComparisonRecord, runs []lab.Record, d detail) (said string, lines []string) {
	said, lines = noVerdict(c, d), doubtLines(runs)
	for i, r := range runs {
		same := fmt.Sprintf("invalid: %s: %s", Letter(i), c.Reason)
		if doubt := load.Invalid(r.Doubts); doubt != nil && doubt.Text == c.Reason && slices.Contains(lines, same) {
			said = fmt.Sprintf("no verdict (invalid): %s: %s", Letter(i), c.Reason)
			lines = slices.DeleteFunc(lines, func(line string) bool { return line == same })
		}
	}
	return said, lines
}

// kept says how much was measured before a comparison ended without a verdict; empty if nothing was.
func kept(runs []lab.Record) string {
	var parts []string
	for i, r := range runs {
		if r.Slices > 0 {
			parts = append(parts, fmt.Sprintf("%d slices of %s of %s", r.Slices, starts(r.Starts), Letter(i)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "kept: " + strings.Join(parts, ", ")
}

func noVerdict(c *lab.ComparisonRecord, d detail) string {
	status := c.Status
	if status == "" || status == ledger.Complete {
		status = ledger.Invalid
	}
	switch c.Reason {
	case "":
		return fmt.Sprintf("no verdict (%s): nothing was compared", status)
	case string(status):
		return "no verdict: " + c.Reason
	}
	return fmt.Sprintf("no verdict (%s): %s", status, reason(c.Reason, c.ID, d))
}

// variants names what was compared and under which conditions.
func variants(b *strings.Builder, runs []lab.Record) {
	for i, r := range runs {
		fmt.Fprintf(b, "%s: %s%s\n", Letter(i), r.Label, source(r.Head))
	}
	if text := places(runs); text != "" {
		fmt.Fprintln(b, text)
	}
	if len(runs) > 0 {
		underLines(b, runs[0])
		if text := runs[0].Assumption; text != "" { // of the others only the port may differ
			fmt.Fprintf(b, "note: %s\n", text)
		}
		if text := loadCommandUnknown(runs[0]); text != "" {
			fmt.Fprintf(b, "note: %s\n", text)
		}
	}
}

// source says which commit and toolchain a run was built from; more stands before its name.
func source(h lab.Head, more ...string) string {
	parts := append([]string{Commit(h), h.Binary.GoVersion}, append(more, "run "+h.ID)...)
	if h.Status != ledger.Complete {
		parts = append(parts, string(h.Status))
	}
	return "  (" + strings.Join(nonEmpty(parts...), ", ") + ")"
}

// Commit is the commit of a run's source, with what was changed on top.
func Commit(h lab.Head) string {
	commit := h.Binary.Commit[:min(10, len(h.Binary.Commit))]
	if commit != "" && h.Binary.Dirty {
		commit += "+changes"
	}
	return commit
}

// Heads are what runs under load have in common with all others.
func Heads(runs []lab.Record) []lab.Head {
	var all []lab.Head
	for _, r := range runs {
		all = append(all, r.Head)
	}
	return all
}

// next names the commands that lead on, with names to copy.
func next(b *strings.Builder, c *lab.ComparisonRecord, runs []lab.Head) {
	var commands []string
	for _, command := range NextCommands(c, runs) {
		commands = append(commands, fmt.Sprintf("%s (%s)", command.Line, command.What))
	}
	wrapped(b, "next: ", ", ", commands)
}

// Command is a command to copy, with what it shows.
type Command struct {
	Line string `json:"line"`
	What string `json:"what"`
}

// NextCommands are the commands that lead on from a comparison.
func NextCommands(c *lab.ComparisonRecord, runs []lab.Head) []Command {
	var commands []Command
	var line spec.Line
	if len(runs) > 0 {
		line = runs[0].Command
	}
	if len(runs) > 1 && len(runs[0].Profiles) > 0 && len(runs[1].Profiles) > 0 {
		commands = append(commands, Command{line.Stored("profile", "diff", runs[0].ID, runs[1].ID), "what changed, by function"})
	}
	for i, r := range runs {
		what := "of " + Letter(i)
		if i == 0 {
			what = "profiles and logs of A"
		}
		commands = append(commands, Command{line.Stored("show", r.ID), what})
	}
	return append(commands, Command{line.Stored("show", c.ID), "this again"}, Command{"hone help words", "what the words here mean"})
}
