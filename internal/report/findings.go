package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/advice"
	"github.com/gohone/hone/internal/units"
)

// Findings writes the advice on a run in full: each finding with its evidence, what to change and how to see whether it helped.
func Findings(w io.Writer, f *advice.Findings) error {
	b := &strings.Builder{}
	for i, one := range f.Findings {
		if i > 0 {
			b.WriteByte('\n')
		}
		findingHead(b, i+1, one)
		for _, e := range one.Evidence {
			fmt.Fprintf(b, "  %-12s %s\n", e.Source+":", e.Text)
			for j, line := range e.Stack {
				fmt.Fprintf(b, "  %-12s %s%s\n", "", strings.Repeat(" ", min(j, 6)), line)
			}
		}
		wrapped(b, "  change:      ", " ", strings.Fields(one.Change))
		snippet(b, "before", one.Before)
		snippet(b, "after", one.After)
		if one.Verify != "" {
			fmt.Fprintf(b, "  prove it:    %s\n", one.Verify)
		}
	}
	if len(f.Findings) > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintln(b, spentLine(f))
	for _, m := range f.Missing {
		fmt.Fprintf(b, "not looked at: %s\n", m)
	}
	return write(w, b)
}

// FindingLines are the findings as the end of a measurement shows them, at most most of them.
func FindingLines(f *advice.Findings, run string, most int) []string {
	if f == nil {
		return nil
	}
	var lines []string
	for i, one := range f.Findings {
		if i == most {
			lines = append(lines, fmt.Sprintf("%s: hone advise %s", plural(len(f.Findings)-most, "more finding"), run))
			return lines
		}
		b := &strings.Builder{}
		findingHead(b, i+1, one)
		lines = append(lines, strings.Split(strings.TrimRight(b.String(), "\n"), "\n")...)
	}
	if len(f.Findings) == 0 {
		return []string{spentLine(f)}
	}
	return append(lines, fmt.Sprintf("evidence and what to change: hone advise %s", run))
}

// findingHead is what a finding says, and what it is worth.
func findingHead(b *strings.Builder, number int, f advice.Finding) {
	where := "the whole program"
	if f.Place.Function != "" {
		where = f.Place.String()
	}
	fmt.Fprintf(b, "finding %d: %s: %s\n", number, where, f.Title)
	var parts []string
	if f.Cost > 0 {
		cost := fmt.Sprintf("costs %s of %s", share(f.Cost)+" %", f.Measure)
		switch f.Measure {
		case advice.Answers:
			cost = fmt.Sprintf("%s %% of the answers do not come", share(f.Cost))
		case advice.Growing:
			cost = "it rises with every request"
		case advice.Memory:
			cost += ": " + units.Bytes(f.Absolute)
		default:
			if f.Absolute > 0 {
				cost += ": " + units.Nanos(f.Absolute)
			}
		}
		parts = append(parts, cost)
	}
	if f.Gain > 0 && f.Measure != advice.Answers && f.Measure != advice.Growing {
		parts = append(parts, fmt.Sprintf("a change gains at most %s %%", share(f.Gain)))
	}
	if f.Gain == 0 {
		parts = append(parts, "what a change gains has to be measured")
	}
	parts = append(parts, "rule "+f.Rule)
	fmt.Fprintf(b, "           %s\n", strings.Join(parts, "; "))
}

func snippet(b *strings.Builder, title, code string) {
	for i, line := range strings.Split(code, "\n") {
		if code == "" {
			return
		}
		if i > 0 {
			title = ""
		} else {
			title += ":"
		}
		fmt.Fprintf(b, "  %-12s %s\n", title, strings.ReplaceAll(line, "\t", "    "))
	}
}

// spentLine says where the CPU time goes, and that nothing else was found.
func spentLine(f *advice.Findings) string {
	s := f.Spent
	if s == (advice.Spent{}) {
		return "nothing found"
	}
	parts := fmt.Sprintf("%s %% of the CPU time is the kernel's, %s %% the collector's, %s %% the scheduler's, %s %% that of libraries under no line of yours, %s %% under lines of yours",
		share(s.Kernel), share(s.Collector), share(s.Scheduler), share(s.Libraries), share(s.User))
	if len(f.Findings) == 0 {
		return "nothing found above 3 %: " + parts
	}
	return "in all: " + parts
}
