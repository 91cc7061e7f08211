package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// Findings writes the advice on a run in full: each finding with its evidence, what to change and how to see whether it helped.
func Findings(w io.Writer, f *advice.Findings) error {
	f = printable.Document(f)
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
			fmt.Fprintf(b, "  prove it:    %s%s\n", one.Verify, spec.Unset(one.Verify))
		}
	}
	if line := Spent(f); line != "" {
		if len(f.Findings) > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintln(b, line)
	}
	for _, m := range f.Missing {
		fmt.Fprintf(b, "not looked at: %s\n", m)
	}
	return write(w, b)
}

// shownFindings is how many the end of a measurement shows.
const shownFindings = 3

// FindingLines are the findings as the end of a measurement shows them, at most most of them. advise is the command that shows all.
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
		b := &strings.Builder{}
		findingHead(b, i+1, one)
		lines = append(lines, strings.Split(strings.TrimRight(b.String(), "\n"), "\n")...)
	}
	if len(f.Findings) == 0 {
		return []string{Spent(f)}
	}
	return append(lines, "evidence and what to change: "+advise)
}

// findingHead is what a finding says, and what it is worth.
func findingHead(b *strings.Builder, number int, f advice.Finding) {
	where := "the whole program"
	if f.Place.Function != "" {
		where = f.Place.String()
	}
	fmt.Fprintf(b, "finding %d: %s: %s\n", number, where, f.Title)
	fmt.Fprintf(b, "           %s\n", strings.Join(nonEmpty(FindingCost(f), FindingGain(f), "rule "+f.Rule), "; "))
}

// FindingCost says what the cause of a finding costs now; "" where that is not known.
func FindingCost(f advice.Finding) string {
	if f.Cost <= 0 {
		return ""
	}
	cost := fmt.Sprintf("costs %s of %s", units.Share(f.Cost), f.Measure)
	switch f.Measure {
	case advice.Answers:
		return fmt.Sprintf("%s of the answers do not come", units.Share(f.Cost))
	case advice.Growing:
		return "it rises with every request"
	case advice.Memory:
		return cost + ": " + units.Bytes(f.Absolute)
	}
	if f.Absolute > 0 {
		cost += ": " + units.Nanos(f.Absolute)
	}
	return cost
}

// FindingGain says what a change can gain; "" where that is not a share of a measure.
func FindingGain(f advice.Finding) string {
	switch {
	case f.Gain == 0:
		return "what a change gains has to be measured"
	case f.Gain > 0 && f.Measure != advice.Answers && f.Measure != advice.Growing:
		return fmt.Sprintf("a change gains at most %s", units.Share(f.Gain))
	}
	return ""
}

// whyFindings say which findings came or went with the verdict v, and what they leave open of the difference.
func whyFindings(contest lab.Contest, v compare.Verdict) []string {
	if !v.Word.Different() || v.Measure.Key != compare.CPU.Key {
		return nil
	}
	var lines []string
	for _, c := range contest.Findings {
		word := "why: "
		if c.Share < 0 {
			word = "but: "
		}
		lines = append(lines, fmt.Sprintf("%s%s %s: %s: %s (%s of the difference; %s)", word, c.Place, c.Word, c.Title, signedNanos(c.Delta), units.Share(c.Share), c.Rule))
	}
	if len(lines) > 0 {
		lines = append(lines, fmt.Sprintf("not explained by findings: %s of the difference", units.Share(contest.FindingsLeft)))
	}
	return lines
}

func signedNanos(ns float64) string {
	if ns < 0 {
		return "-" + units.Nanos(-ns)
	}
	return "+" + units.Nanos(ns)
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

// Spent says where the CPU time goes, and that nothing else was found.
func Spent(f *advice.Findings) string {
	s := f.Spent
	if s == (advice.Spent{}) {
		if len(f.Findings) > 0 {
			return ""
		}
		return "nothing found"
	}
	parts := fmt.Sprintf("%s of the CPU time is the kernel's, %s the collector's, %s the scheduler's, %s is spent in libraries under no line of yours, %s under lines of yours (%s)",
		units.Share(s.Kernel), units.Share(s.Collector), units.Share(s.Scheduler), units.Share(s.Libraries), units.Share(s.User), plural(int(f.Samples), "sample"))
	if len(f.Findings) == 0 {
		return "nothing found above 3 %: " + parts
	}
	return "in all: " + parts
}
