package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/load"
)

// Comparison writes a comparison of two or more variants: under which conditions, what
// became of each and of the gates, the measurement check, why, all measures, and the next
// command. A bad measurement is said before any number.
func Comparison(w io.Writer, c *lab.ComparisonRecord, runs []lab.Record) error {
	return writeComparison(w, c, runs, brief)
}

// ShowComparison writes a stored comparison with all that is known of it.
func ShowComparison(w io.Writer, c *lab.ComparisonRecord, runs []lab.Record) error {
	return writeComparison(w, c, runs, full)
}

func writeComparison(w io.Writer, c *lab.ComparisonRecord, runs []lab.Record, d detail) error {
	b := &strings.Builder{}
	if hasVerdict(c) {
		withVerdict(b, c, runs, d)
	} else {
		withoutVerdict(b, c, runs, d)
	}
	return write(w, b)
}

// notTogether is the note on a difference between runs of different times.
const notTogether = "A and B were not taken together: their difference is only indicative, since it also holds what changed on the machine in between"

// hasVerdict says whether anything was compared.
func hasVerdict(c *lab.ComparisonRecord) bool {
	return len(c.Contests) > 0 && c.Word != compare.Invalid &&
		!slices.ContainsFunc(c.Contests, func(contest lab.Contest) bool { return contest.Word == compare.Invalid })
}

func withVerdict(b *strings.Builder, c *lab.ComparisonRecord, runs []lab.Record, d detail) {
	variants(b, runs)
	if indicative(c) {
		fmt.Fprintln(b, notTogether)
	}
	for _, contest := range c.Contests {
		fmt.Fprintln(b, contestSentence(contest))
	}
	fmt.Fprintln(b, Stopped(c))
	gates(b, c)
	for _, line := range nextSteps(c) {
		fmt.Fprintln(b, line)
	}
	for _, line := range answers(c, runs) {
		fmt.Fprintln(b, line)
	}
	fmt.Fprintln(b, Check(c, runs))
	selfDoubts(b, c)
	disturbed(b, runs)
	doubts(b, runs)
	accounts(b, runs, d)
	outputs(b, runs, d)
	why(b, c)
	tables(b, c, heads(runs))
	next(b, c, heads(runs))
}

// withoutVerdict says first that there is nothing to conclude, and last what was kept.
func withoutVerdict(b *strings.Builder, c *lab.ComparisonRecord, runs []lab.Record, d detail) {
	said := noVerdict(c, d)
	lines := doubtLines(runs)
	for i, r := range runs { // the variant that the reason is about is named with it
		same := fmt.Sprintf("invalid: %s: %s", letter(i), c.Reason)
		if doubt := load.Invalid(r.Doubts); doubt != nil && doubt.Text == c.Reason && slices.Contains(lines, same) {
			said = fmt.Sprintf("no verdict (invalid): %s: %s", letter(i), c.Reason)
			lines = slices.DeleteFunc(lines, func(line string) bool { return line == same })
		}
	}
	fmt.Fprintln(b, said)
	for _, line := range lines {
		fmt.Fprintln(b, line)
	}
	variants(b, runs)
	accounts(b, runs, d)
	outputs(b, runs, d)
	var kept []string
	for i, r := range runs {
		if r.Slices > 0 {
			kept = append(kept, fmt.Sprintf("%d slices of %s of %s", r.Slices, starts(r.Starts), letter(i)))
		}
	}
	if len(kept) > 0 {
		fmt.Fprintf(b, "kept: %s\n", strings.Join(kept, ", "))
	}
	next(b, c, heads(runs))
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
		fmt.Fprintf(b, "%s: %s%s\n", letter(i), r.Label, source(r.Head, layouts(r)))
	}
	if text := places(runs); text != "" {
		fmt.Fprintln(b, text)
	}
	if len(runs) > 0 {
		underLines(b, runs[0])
		if text := runs[0].Assumption; text != "" { // of the others only the port may differ
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

// layouts says of how many layouts a run is.
func layouts(r lab.Record) string {
	if r.Layouts == 0 {
		return ""
	}
	return plural(r.Layouts, "layout")
}

// Commit is the commit of a run's source, with what was changed on top.
func Commit(h lab.Head) string {
	commit := h.Binary.Commit[:min(10, len(h.Binary.Commit))]
	if commit != "" && h.Binary.Dirty {
		commit += "+changes"
	}
	return commit
}

// heads are what runs under load have in common with all others.
func heads(runs []lab.Record) []lab.Head {
	var all []lab.Head
	for _, r := range runs {
		all = append(all, r.Head)
	}
	return all
}

// next names the commands that lead on, with names to copy.
func next(b *strings.Builder, c *lab.ComparisonRecord, runs []lab.Head) {
	var commands []string
	if len(runs) > 1 && len(runs[0].Profiles) > 0 && len(runs[1].Profiles) > 0 {
		commands = append(commands, fmt.Sprintf("hone profile diff %s %s (what changed, by function)", runs[0].ID, runs[1].ID))
	}
	for i, r := range runs {
		what := "of " + letter(i)
		if i == 0 {
			what = "profiles and logs of A"
		}
		commands = append(commands, fmt.Sprintf("hone show %s (%s)", r.ID, what))
	}
	commands = append(commands, fmt.Sprintf("hone show %s (this again)", c.ID), "hone help words (what the words here mean)")
	wrapped(b, "next: ", ", ", commands)
}
