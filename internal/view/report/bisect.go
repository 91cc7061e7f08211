package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/model/bench"
	"github.com/gohone/hone/internal/view/model/commits"
)

// Bisect writes what a search found: the sentence, the commit, what explains it, the change of the source, and the
// command that shows it again.
func Bisect(w io.Writer, r *commitsearch.Result) error {
	r = printable.Document(r)
	m, b := commits.BisectOf(r), &strings.Builder{}
	if len(m.Steps) == 0 {
		fmt.Fprintln(b, m.Sentence)
	}
	for i, s := range m.Steps {
		if i > 0 {
			fmt.Fprintln(b)
		}
		fmt.Fprintln(b, s.Sentence)
		for _, c := range s.Commits {
			fmt.Fprintf(b, "  %s\n", commitLine(c))
		}
		for _, line := range s.Why {
			fmt.Fprintf(b, "  %s\n", line)
		}
		hunkLines(b, s)
		if s.Command != "" {
			fmt.Fprintf(b, "  again: %s\n", s.Command)
		}
	}
	if len(m.Steps) > 0 {
		fmt.Fprintln(b)
	}
	for _, line := range m.Under {
		fmt.Fprintln(b, line)
	}
	for _, s := range m.Skipped {
		fmt.Fprintf(b, "skipped: %s: %s\n", s.Name, s.Text)
	}
	if r.ID != "" {
		fmt.Fprintf(b, "search %s is in the ledger: hone show %s (this again)\n", r.ID, r.ID)
	}
	if r.Log != "" && len(r.Probes) > 0 {
		fmt.Fprintf(b, "log: %s   (git bisect replay reads it too)\n", r.Log)
	}
	return write(w, b)
}

// commitLine is a commit with its author and date.
func commitLine(c model.Row) string { return fmt.Sprintf("%s %s  (%s)", c.Name, c.Text, c.Note) }

func hunkLines(b *strings.Builder, s commits.BisectStep) {
	file := ""
	for _, h := range s.Hunks {
		if h.File != file {
			fmt.Fprintf(b, "  %s\n", h.File)
			file = h.File
		}
		for _, line := range h.Lines {
			fmt.Fprintf(b, "    %s\n", line)
		}
	}
	if s.More > 0 {
		fmt.Fprintf(b, "  and %s\n", units.Plural(s.More, "more hunk"))
	}
}

// BisectMarkdown writes what a search found as a comment for an issue.
func BisectMarkdown(w io.Writer, r *commitsearch.Result) error {
	r = printable.Document(r)
	m, b := commits.BisectOf(r), &strings.Builder{}
	if len(m.Steps) == 0 {
		fmt.Fprintf(b, "**%s**\n\n", inText(m.Sentence))
	}
	for _, s := range m.Steps {
		fmt.Fprintf(b, "**%s**\n\n", inText(s.Sentence))
		for _, c := range s.Commits {
			fmt.Fprintf(b, "- %s %s (%s)\n", inMarkdownCode(c.Name), inText(c.Text), inText(c.Note))
		}
		for _, line := range s.Why {
			fmt.Fprintf(b, "- %s\n", inText(line))
		}
		if len(s.Hunks) > 0 {
			fence := fenceOf(s.Hunks)
			fmt.Fprintf(b, "\n<details><summary>what changed</summary>\n\n%sdiff\n", fence)
			for _, h := range s.Hunks {
				fmt.Fprintf(b, "--- a/%s\n+++ b/%s\n%s\n", h.File, h.File, strings.Join(h.Lines, "\n"))
			}
			fmt.Fprintf(b, "%s\n\n</details>\n", fence)
		}
		if s.Command != "" {
			fmt.Fprintf(b, "\n```\n%s\n```\n", s.Command)
		}
	}
	fmt.Fprintln(b)
	for _, line := range m.Under {
		fmt.Fprintf(b, "%s  \n", inText(line))
	}
	return write(w, b)
}

// fenceOf is a fence that no line of the hunks ends.
func fenceOf(hunks []commitsearch.Hunk) string {
	fence := "```"
	for _, h := range hunks {
		for strings.Contains(strings.Join(h.Lines, "\n"), fence) {
			fence += "`"
		}
	}
	return fence
}

// BisectUnfinished writes what is stored of a search that has no result: it goes on, or ended before there was one.
func BisectUnfinished(w io.Writer, r *commitsearch.Result, status ledger.Status, reason string) error {
	r, status, reason = printable.Document(r), printable.Document(status), printable.Document(reason)
	b := &strings.Builder{}
	fmt.Fprintf(b, "search from %s to %s: %s\n", r.GoodRef, r.BadRef, bench.NoResult(status, reason))
	ends := commits.BisectArguments(r)
	fmt.Fprintf(b, "next: hone bisect %s %s --resume, with the same package and flags\n", ends[0], ends[1])
	return write(w, b)
}
