package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model"
)

// Findings writes the advice on a run in full: each finding with its evidence, what to change and how to see whether it
// helped.
func Findings(w io.Writer, f *advice.Findings) error {
	f = printable.Document(f)
	b := &strings.Builder{}
	for i, one := range f.Findings {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(findingHead(i+1, one) + "\n")
		if weight := model.FindingWeight(one); weight != "" {
			fmt.Fprintf(b, "  %-12s %s\n", "production:", weight)
		}
		for _, e := range one.Evidence {
			fmt.Fprintf(b, "  %-12s %s\n", e.Source+":", e.Text)
			for j, line := range e.Stack {
				fmt.Fprintf(b, "  %-12s %s%s\n", "", strings.Repeat(" ", min(j, 6)), line)
			}
		}
		wrapped(b, "  change:      ", " ", strings.Fields(one.Change))
		if one.Code != "" {
			snippet(b, "your code", one.Code)
			snippet(b, "pattern", one.After)
		} else {
			snippet(b, "before", one.Before)
			snippet(b, "after", one.After)
		}
		if one.Verify != "" {
			fmt.Fprintf(b, "  prove it:    %s%s\n", one.Verify, spec.Unset(one.Verify))
		}
	}
	if len(f.Findings) > 0 {
		b.WriteByte('\n')
	}
	for i, line := range model.LargeLines(f) {
		if i == 0 {
			fmt.Fprintln(b, "large, and in no finding:")
		}
		fmt.Fprintf(b, "  %s\n", line)
	}
	if line := model.Spent(f); line != "" {
		fmt.Fprintln(b, line)
	}
	for _, m := range f.Missing {
		fmt.Fprintf(b, "not looked at: %s\n", m)
	}
	return write(w, b)
}

// shownFindings is how many the end of a measurement shows.
const shownFindings = 3

// FindingLines are the findings as the end of a measurement shows them, at most most of them. advise is the command
// that shows all.
func FindingLines(f *advice.Findings, advise string, most int) []string {
	if f == nil {
		return nil
	}
	var lines []string
	for i, one := range f.Findings {
		if i == most {
			lines = append(lines, fmt.Sprintf("%s: %s", plural(len(f.Findings)-most, "more finding"), advise))
			return lines
		}
		lines = append(lines, strings.Split(findingHead(i+1, one), "\n")...)
	}
	if len(f.Findings) == 0 {
		return []string{model.Spent(f)}
	}
	return append(lines, "evidence and what to change: "+advise)
}

// findingHead is what a finding says, and what it is worth, in two lines.
func findingHead(number int, f advice.Finding) string {
	where := "the whole program"
	if f.Place.Function != "" {
		where = f.Place.String()
	}
	return fmt.Sprintf("finding %d: %s: %s\n           %s", number, where, f.Title,
		strings.Join(model.NonEmpty(model.FindingCost(f), model.FindingGain(f), "rule "+f.Rule), "; "))
}

func snippet(b *strings.Builder, title, code string) {
	for i, line := range strings.Split(code, "\n") {
		if code == "" {
			return
		}
		if i > 0 {
			title, line = "", strings.TrimPrefix(line, "  ") // printable.Indented
		} else {
			title += ":"
		}
		fmt.Fprintf(b, "  %-12s %s\n", title, strings.ReplaceAll(line, "\t", "    "))
	}
}
