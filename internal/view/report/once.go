package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/once"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// Once writes what executions of a program took: the check first, then the numbers, then what was found; nil where it was
// not looked for.
func Once(w io.Writer, r lab.OnceRecord, found *advice.Findings) error {
	r, found = printable.Document(r), printable.Document(found)
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s%s\n", onceCommand(r), onceSource(r))
	fmt.Fprintln(b, onceConditions(r))
	fmt.Fprintln(b, onceCheck(r))
	onceNotes(b, []lab.OnceRecord{r})
	onceNumbers(b, r)
	if f, ok := OnceProfiled(r); ok {
		fmt.Fprintf(b, "%s: %s\n", f.Name, f.Text)
	}
	for _, line := range HotLines(r.Hot, len(r.Hot)) {
		fmt.Fprintf(b, "hot: %s\n", line)
	}
	for _, line := range FindingLines(found, r.Command.Stored("advise", r.ID), shownFindings) {
		fmt.Fprintln(b, line)
	}
	b.WriteString("next: ")
	if len(r.Profiles) > 0 {
		fmt.Fprintf(b, "%s, %s (whose garbage it is),\n      ", r.Command.Stored("profile", "top", r.ID), r.Command.Stored("profile", "blame", r.ID))
	}
	fmt.Fprintf(b, "%s (what it wrote), or hone compare --once with another\n", r.Command.Stored("show", r.ID))
	return write(w, b)
}

// OnceRunCheck says whether executions can be trusted.
func OnceRunCheck(r lab.OnceRecord) string { return onceCheck(r) }

// OnceProfiled says what the execution took that the profiles are of; false without profiles.
func OnceProfiled(r lab.OnceRecord) (Row, bool) {
	p := r.Profiled
	if p == nil || p.Passes == 0 {
		return Row{}, false
	}
	return Row{Name: "profiles", Text: fmt.Sprintf("of one more execution (%s CPU, real %s); the CPU profile saw %.0f %% of its CPU time",
		units.Nanos(float64(p.CPU())), units.Nanos(float64(p.Real)), 100*p.CPUShare)}, true
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

func onceConditions(r lab.OnceRecord) string { return "under: " + OnceConditions(r) }

// OnceConditions says what was executed how often, and where.
func OnceConditions(r lab.OnceRecord) string {
	return fmt.Sprintf("no load; %s to the end, on %s, in %s",
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
	for _, n := range OnceNotes(runs...) {
		fmt.Fprintln(b, n)
	}
}

// OnceNotes are the same by themselves.
func OnceNotes(runs ...lab.OnceRecord) (all []Note) {
	say := func(i int, text string) { all = append(all, Note{"note", about(i, len(runs)) + text}) }
	for i, r := range runs {
		for _, w := range r.Warnings {
			common := !slices.ContainsFunc(runs, func(o lab.OnceRecord) bool { return !slices.Contains(o.Warnings, w) })
			switch {
			case !common:
				say(i, w)
			case i == 0:
				all = append(all, Note{"note", w})
			}
		}
		if s := r.Conditions; s.Noticeable > 0 {
			say(i, fmt.Sprintf("disturbed, and kept: %d of %s: %s", s.Noticeable, plural(s.Slices, "execution"), s.Total))
		}
	}
	return all
}

// onceNumbers are the facts: of the executions that did not fail or, where all did, of the
// last one.
func onceNumbers(b *strings.Builder, r lab.OnceRecord) {
	f, of := onceFacts(r)
	if f == nil {
		return
	}
	if of != "" {
		of = "  (" + of + ")"
	}
	fmt.Fprintf(b, "%s%s\n", factsLine(*f), of)
	if f.Executions > 1 {
		spreads(b, *f)
	}
	more := onceMore(*f, r)
	for i, one := range more {
		switch {
		case i == 0:
		case one.Name == "wrote":
			b.WriteByte('\n')
		default:
			b.WriteString("; ")
		}
		colon := ": "
		if one.Name == "CPU" || one.Name == "wrote" {
			colon = " "
		}
		b.WriteString(one.Name + colon + one.Text)
	}
	b.WriteByte('\n')
}

// onceFacts are what the numbers of executions are of, and a word on which of them; nil if nothing was executed.
func onceFacts(r lab.OnceRecord) (f *once.Facts, of string) {
	switch f = r.Facts; {
	case f == nil && len(r.Executions) == 0:
		return nil, ""
	case f == nil:
		return once.FactsOf(r.Executions[len(r.Executions)-1:]), "until it ended"
	case f.Executions > 1:
		return f, fmt.Sprintf("medians of %s", plural(f.Executions, "execution"))
	}
	return f, ""
}

// OnceNumbers are the measures of executions; none if nothing was executed.
func OnceNumbers(r lab.OnceRecord) []Row {
	f, of := onceFacts(r)
	if f == nil {
		return nil
	}
	all := factsOf(*f)
	for i := range all {
		all[i].Note = of
	}
	if f.Executions > 1 {
		for _, row := range spreadRows(*f) {
			all = append(all, Row{Name: row[0] + " of executions", Text: row[3], Note: "median " + row[1] + ", interval " + row[2]})
		}
	}
	return append(all, onceMore(*f, r)...)
}

// onceMore are what stands below the four numbers.
func onceMore(f once.Facts, r lab.OnceRecord) (all []Row) {
	if f.Real.Median > 0 {
		all = append(all, Row{Name: "CPU", Text: fmt.Sprintf("%s, which is %.0f %% of one CPU all the time", units.Nanos(f.CPU.Median), 100*f.CPU.Median/f.Real.Median)})
	}
	latest := ""
	if len(r.Executions) > 1 {
		latest = " (the latest)"
	}
	return append(all,
		Row{Name: "switches", Text: fmt.Sprintf("%s voluntary, %s involuntary", whole(f.Voluntary), whole(f.Involuntary))},
		Row{Name: "page faults", Text: fmt.Sprintf("%s minor, %s major", whole(f.MinorFaults), whole(f.MajorFaults))},
		Row{Name: "wrote", Text: fmt.Sprintf("%s to stdout, %s to stderr%s", written(r.Output.Stdout, r.Output.StdoutDropped),
			written(r.Output.Stderr, r.Output.StderrDropped), latest)})
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
	var parts []string
	for _, one := range factsOf(f) {
		parts = append(parts, one.Name+" "+one.Text)
	}
	return strings.Join(parts, "  ")
}

func factsOf(f once.Facts) []Row {
	resident := "not known"
	switch {
	case f.MaxResident != nil:
		resident = units.Bytes(f.MaxResident.Median)
	case f.AtMost > 0:
		resident = "at most " + units.Bytes(float64(f.AtMost))
	}
	return []Row{
		{Name: "user", Text: units.Nanos(f.User.Median)}, {Name: "system", Text: units.Nanos(f.System.Median)},
		{Name: "real", Text: units.Nanos(f.Real.Median)}, {Name: "max resident", Text: resident},
	}
}

// spreads is a table of how the executions scatter.
func spreads(b *strings.Builder, f once.Facts) {
	tw := leftColumns(b)
	fmt.Fprintln(tw, "measure\tmedian\tinterval\tleast ... most")
	for _, row := range spreadRows(f) {
		fmt.Fprintln(tw, strings.Join(row[:], "\t"))
	}
	tw.Flush()
}

// spreadRows are its rows: measure, median, interval, least and most.
func spreadRows(f once.Facts) (rows [][4]string) {
	row := func(name string, of units.Family, s once.Spread) {
		u := of.Pick(s.Max)
		span := func(low, high float64) string {
			return strings.TrimSpace(fmt.Sprintf("%s ... %s %s", units.Digits(low/u.Scale), units.Digits(high/u.Scale), u.Name))
		}
		interval := "takes 6 executions"
		if s.Conf > 0 {
			interval = fmt.Sprintf("%s (%.0f %%)", span(s.Low, s.High), 100*s.Conf)
		}
		rows = append(rows, [4]string{name, strings.TrimSpace(units.Digits(s.Median/u.Scale) + " " + u.Name), interval, span(s.Min, s.Max)})
	}
	row("CPU", units.Nanoseconds, f.CPU)
	row("user", units.Nanoseconds, f.User)
	row("system", units.Nanoseconds, f.System)
	row("real", units.Nanoseconds, f.Real)
	if f.MaxResident != nil {
		row("max resident", units.Octets, *f.MaxResident)
	}
	return rows
}
