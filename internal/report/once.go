package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/advice"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/once"
	"github.com/gohone/hone/internal/units"
)

// Once writes what executions of a program took: the check first, then the numbers, then what was found; nil where it was
// not looked for.
func Once(w io.Writer, r lab.OnceRecord, found *advice.Findings) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s%s\n", onceCommand(r), onceSource(r))
	fmt.Fprintln(b, onceConditions(r))
	fmt.Fprintln(b, onceCheck(r))
	onceNotes(b, []lab.OnceRecord{r})
	onceNumbers(b, r)
	if p := r.Profiled; p != nil && p.Passes > 0 {
		fmt.Fprintf(b, "profiles: of one more execution (%s CPU, real %s); the CPU profile saw %.0f %% of its CPU time\n",
			units.Nanos(float64(p.CPU())), units.Nanos(float64(p.Real)), 100*p.CPUShare)
	}
	for _, line := range HotLines(r.Hot, len(r.Hot)) {
		fmt.Fprintf(b, "hot: %s\n", line)
	}
	for _, line := range FindingLines(found, r.ID, shownFindings) {
		fmt.Fprintln(b, line)
	}
	b.WriteString("next: ")
	if len(r.Profiles) > 0 {
		fmt.Fprintf(b, "hone profile top %s, hone profile blame %s (whose garbage it is),\n      ", r.ID, r.ID)
	}
	fmt.Fprintf(b, "hone show %s (what it wrote), or hone compare --once with another\n", r.ID)
	return write(w, b)
}

// onceCommand is the command line that was executed, as its user typed it.
func onceCommand(r lab.OnceRecord) string {
	return strings.Join(append([]string{r.Label}, r.Args...), " ")
}

// onceSource says what the program is.
func onceSource(r lab.OnceRecord) string {
	if r.Binary.GoVersion == "" && r.SHA256 != "" {
		return source(r.Head, "SHA-256 "+r.SHA256[:min(12, len(r.SHA256))])
	}
	return source(r.Head)
}

func onceConditions(r lab.OnceRecord) string {
	return fmt.Sprintf("under: no load; %s to the end, on %s, in %s",
		plural(len(r.Executions), "execution"), plural(r.Environment.CPUs, "CPU"), cmp.Or(r.Dir, "."))
}

func onceCheck(r lab.OnceRecord) string {
	if r.Status != ledger.Complete {
		text := "measurement " + string(r.Status)
		if r.Reason != "" && r.Reason != string(r.Status) {
			text += ": " + r.Reason
		}
		return text
	}
	text := "every execution ended with exit code 0"
	if len(r.Executions) == 1 {
		text = "it ended with exit code 0"
	}
	return onceCheckWord([]lab.OnceRecord{r}) + text + steal(r.Environment.StealShare)
}

// onceCheckWord is checkWord for executions.
func onceCheckWord(runs []lab.OnceRecord) string {
	return checkWord(slices.ContainsFunc(runs, func(r lab.OnceRecord) bool { return mostDisturbed(r.Conditions) }))
}

// onceNotes are the warnings, those that all runs have once, and what the machine did.
func onceNotes(b *strings.Builder, runs []lab.OnceRecord) {
	say := func(i int, text string) { fmt.Fprintf(b, "note: %s%s\n", about(i, len(runs)), text) }
	for i, r := range runs {
		for _, w := range r.Warnings {
			common := !slices.ContainsFunc(runs, func(o lab.OnceRecord) bool { return !slices.Contains(o.Warnings, w) })
			switch {
			case !common:
				say(i, w)
			case i == 0:
				fmt.Fprintf(b, "note: %s\n", w)
			}
		}
		if s := r.Conditions; s.Noticeable > 0 {
			say(i, fmt.Sprintf("disturbed, and kept: %d of %s: %s", s.Noticeable, plural(s.Slices, "execution"), s.Total))
		}
	}
}

// onceNumbers are the facts: of the executions that did not fail or, where all did, of the
// last one.
func onceNumbers(b *strings.Builder, r lab.OnceRecord) {
	f, of := r.Facts, ""
	switch {
	case f == nil && len(r.Executions) == 0:
		return
	case f == nil:
		f, of = once.FactsOf(r.Executions[len(r.Executions)-1:]), "  (until it ended)"
	case f.Executions > 1:
		of = fmt.Sprintf("  (medians of %s)", plural(f.Executions, "execution"))
	}
	fmt.Fprintf(b, "%s%s\n", factsLine(*f), of)
	if f.Executions > 1 {
		spreads(b, *f)
	}
	if f.Real.Median > 0 {
		fmt.Fprintf(b, "CPU %s, which is %.0f %% of one CPU all the time; ", units.Nanos(f.CPU.Median), 100*f.CPU.Median/f.Real.Median)
	}
	fmt.Fprintf(b, "switches: %s voluntary, %s involuntary; page faults: %s minor, %s major\n",
		whole(f.Voluntary), whole(f.Involuntary), whole(f.MinorFaults), whole(f.MajorFaults))
	latest := ""
	if len(r.Executions) > 1 {
		latest = " (the latest)"
	}
	fmt.Fprintf(b, "wrote %s to stdout, %s to stderr%s\n", written(r.Output.Stdout, r.Output.StdoutDropped),
		written(r.Output.Stderr, r.Output.StderrDropped), latest)
}

// whole is the median of counts.
func whole(s once.Spread) string { return units.Count(uint64(math.Round(s.Median))) }

func written(n, dropped uint64) string {
	switch {
	case n == 0:
		return "nothing"
	case dropped > 0:
		return fmt.Sprintf("%s (%s kept)", octets(n), octets(n-dropped))
	}
	return octets(n)
}

// octets writes a number of bytes; few of them are counted one by one.
func octets(n uint64) string {
	if n < 1000 {
		return plural(int(n), "byte")
	}
	return units.Bytes(float64(n))
}

// factsLine is the four numbers that people ask for:
//
//	user 1.92 s  system 0.03 s  real 1.95 s  max resident 84.2 MB
func factsLine(f once.Facts) string {
	resident := "not known"
	switch {
	case f.MaxResident != nil:
		resident = units.Bytes(f.MaxResident.Median)
	case f.AtMost > 0:
		resident = "at most " + units.Bytes(float64(f.AtMost))
	}
	return fmt.Sprintf("user %s  system %s  real %s  max resident %s", units.Nanos(f.User.Median), units.Nanos(f.System.Median),
		units.Nanos(f.Real.Median), resident)
}

// spreads is a table of how the executions scatter.
func spreads(b *strings.Builder, f once.Facts) {
	tw := leftColumns(b)
	fmt.Fprintln(tw, "measure\tmedian\tinterval\tleast ... most")
	row := func(name string, of units.Family, s once.Spread) {
		u := of.Pick(s.Max)
		span := func(low, high float64) string {
			return strings.TrimSpace(fmt.Sprintf("%s ... %s %s", units.Digits(low/u.Scale), units.Digits(high/u.Scale), u.Name))
		}
		interval := "takes 6 executions"
		if s.Conf > 0 {
			interval = fmt.Sprintf("%s (%.0f %%)", span(s.Low, s.High), 100*s.Conf)
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", name, strings.TrimSpace(units.Digits(s.Median/u.Scale)+" "+u.Name), interval, span(s.Min, s.Max))
	}
	row("CPU", units.Nanoseconds, f.CPU)
	row("user", units.Nanoseconds, f.User)
	row("system", units.Nanoseconds, f.System)
	row("real", units.Nanoseconds, f.Real)
	if f.MaxResident != nil {
		row("max resident", units.Octets, *f.MaxResident)
	}
	tw.Flush()
}

// onceSummary is what an execution took in CPU time, for lists; a dash for other runs.
func onceSummary(r ledger.Run) string {
	var doc struct {
		Schema string      `json:"schema"`
		Facts  *once.Facts `json:"facts"`
	}
	if len(r.Doc) == 0 || json.Unmarshal(r.Doc, &doc) != nil || doc.Schema != lab.OnceSchema || doc.Facts == nil {
		return "-"
	}
	return units.Nanos(doc.Facts.CPU.Median) + " (once)"
}
