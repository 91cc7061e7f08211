package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model"
)

// Conditions is the line that says under which load and where a run was taken.
func Conditions(r record.Run) string { return "under: " + strings.Join(model.Under(r), "; ") }

// Run writes one run: the check, the numbers, and what was found; nil where it was not looked for.
func Run(w io.Writer, r record.Run, found *advice.Findings, d model.Detail) error {
	r, found = printable.Document(r), printable.Document(found)
	b := &strings.Builder{}
	m := model.RunOf(r, d, found)
	if d == model.Brief {
		briefRun(b, m, found, r.Command, r.ID)
		return writeNarrow(w, b)
	}
	fullRun(b, r, m, found)
	return write(w, b)
}

func fullRun(b *strings.Builder, r record.Run, m model.Run, found *advice.Findings) {
	fmt.Fprintf(b, "%s%s\n", m.Title, m.Source)
	if m.RanIn != "" {
		fmt.Fprintln(b, m.RanIn)
	}
	wrapped(b, "under: ", "; ", m.Under)
	say(b, m.Assumed)
	fmt.Fprintln(b, m.Check)
	say(b, m.Check.Notes)
	columns(b, m.Numbers)
	for _, row := range m.Besides {
		if row.Name == "metrics" {
			fmt.Fprintf(b, "%-16s %s\n", row.Name, row.Text)
			continue
		}
		writeRows(b, []model.Row{row})
		if row.Name == "requests" {
			writeCauses(b, m.Errors)
		}
	}
	say(b, m.Thresholds)
	for _, line := range (Traced{Load: r.Latency, Found: found}).waitLines(r.Waits) {
		fmt.Fprintln(b, line)
	}
	writeFound(b, m.Hot, found, r.Head)
	if slices.Contains(r.Profiles, "cpu") {
		fmt.Fprintf(b, "next: %s (what to change), %s,\n      %s (whose garbage it is),",
			r.Command.Stored("advise", r.ID), r.Command.Stored("profile", "top", r.ID),
			r.Command.Stored("profile", "blame", r.ID))
		if r.Waits != nil {
			fmt.Fprintf(b, " %s (what requests wait for),", r.Command.Stored("tail", r.ID))
		}
		b.WriteString("\n      ")
	} else {
		b.WriteString("next: ")
	}
	b.WriteString("hone compare with another variant, hone help words (what the words here mean)\n")
}

// writeFound writes the most expensive sites of a run, and what was found.
func writeFound(b *strings.Builder, hot []string, found *advice.Findings, r record.Head) {
	for _, line := range hot {
		fmt.Fprintf(b, "hot: %s\n", line)
	}
	for _, line := range FindingLines(found, r.Command.Stored("advise", r.ID), shownFindings) {
		fmt.Fprintln(b, line)
	}
}

// writeRows writes rows, a line each.
func writeRows(b *strings.Builder, rows []model.Row) {
	for _, r := range rows {
		if r.Note != "" {
			r.Text += " (" + r.Note + ")"
		}
		fmt.Fprintf(b, "%s: %s\n", r.Name, r.Text)
	}
}

// writeCauses writes failures by cause.
func writeCauses(b *strings.Builder, causes []model.Row) {
	for _, f := range causes {
		fmt.Fprintf(b, "error: %s: %s\n", f.Name, f.Text)
	}
}
