package model

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// onceConditions says what was executed how often, and where.
func onceConditions(r record.Executions) string {
	return fmt.Sprintf("no load; %s to the end, on %s, in %s",
		units.Plural(len(r.Executions), "execution"), units.Plural(r.Environment.CPUs, "CPU"), cmp.Or(r.Dir, "."))
}

// OnceFacts are what the numbers of executions are of, and a word on which of them; nil if nothing was executed.
func OnceFacts(r record.Executions) (f *record.ExecutionFacts, of string) {
	switch f = r.Facts; {
	case f == nil && len(r.Executions) == 0:
		return nil, ""
	case f == nil:
		return record.FactsOf(r.Executions[len(r.Executions)-1:]), "until it ended"
	case f.Executions > 1:
		return f, fmt.Sprintf("medians of %s", units.Plural(f.Executions, "execution"))
	}
	return f, ""
}

// onceNumbers are the measures of executions; none if nothing was executed.
func onceNumbers(r record.Executions) []Row {
	f, of := OnceFacts(r)
	if f == nil {
		return nil
	}
	all := FactsOf(*f)
	for i := range all {
		all[i].Note = of
	}
	if f.Executions > 1 {
		for _, row := range SpreadRows(*f) {
			all = append(all, Row{Name: row[0] + " of executions", Text: row[3],
				Note: "median " + row[1] + ", interval " + row[2]})
		}
	}
	return append(all, OnceMore(*f, r)...)
}

// OnceMore are what stands below the four numbers.
func OnceMore(f record.ExecutionFacts, r record.Executions) (all []Row) {
	if f.Real.Median > 0 {
		all = append(all, Row{Name: "CPU", Text: fmt.Sprintf("%s, which is %.0f %% of one CPU all the time",
			units.Nanos(f.CPU.Median), 100*f.CPU.Median/f.Real.Median)})
	}
	latest := ""
	if len(r.Executions) > 1 {
		latest = " (the latest)"
	}
	return append(all,
		Row{Name: "switches", Text: fmt.Sprintf("%s voluntary, %s involuntary", whole(f.Voluntary),
			whole(f.Involuntary))},
		Row{Name: "page faults", Text: fmt.Sprintf("%s minor, %s major", whole(f.MinorFaults), whole(f.MajorFaults))},
		Row{Name: "wrote", Text: fmt.Sprintf("%s to stdout, %s to stderr%s",
			written(r.Output.Stdout, r.Output.StdoutDropped),
			written(r.Output.Stderr, r.Output.StderrDropped), latest)})
}

// whole is the median of counts.
func whole(s record.ExecutionSpread) string { return units.Count(uint64(math.Round(s.Median))) }

func written(n, dropped uint64) string {
	switch {
	case n == 0:
		return "nothing"
	case dropped > 0:
		return fmt.Sprintf("%s (%s kept)", Octets(n), Octets(n-dropped))
	}
	return Octets(n)
}

// SpreadRows are how the executions scatter: measure, median, interval, least and most.
func SpreadRows(f record.ExecutionFacts) (rows [][4]string) {
	row := func(name string, of units.Family, s record.ExecutionSpread) {
		u := of.Pick(s.Max)
		span := func(low, high float64) string {
			return strings.TrimSpace(fmt.Sprintf("%s ... %s %s", units.Digits(low/u.Scale), units.Digits(high/u.Scale),
				u.Name))
		}
		interval := "takes 6 executions"
		if s.Conf > 0 {
			interval = fmt.Sprintf("%s (%.0f %%)", span(s.Low, s.High), 100*s.Conf)
		}
		rows = append(rows, [4]string{name, strings.TrimSpace(units.Digits(s.Median/u.Scale) + " " + u.Name), interval,
			span(s.Min, s.Max)})
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

// onceProfiled says what the execution took that the profiles are of.
func onceProfiled(r record.Executions) []Row {
	p := r.Profiled
	if p == nil || p.Passes == 0 {
		return nil
	}
	return []Row{{Name: "profiles",
		Text: fmt.Sprintf("of one more execution (%s CPU, real %s); the CPU profile saw %.0f %% of its CPU time",
			units.Nanos(float64(p.CPU())), units.Nanos(float64(p.Real)), 100*p.CPUShare)}}
}

// onceCheck says whether executions can be trusted.
func onceCheck(r record.Executions) Statement {
	if r.Status != ledger.Complete {
		text := "measurement " + string(r.Status)
		if r.Reason != "" && r.Reason != string(r.Status) {
			text += ": " + r.Reason
		}
		return Statement{Text: text, Tone: toneOfEnd(r.Status)}
	}
	text := "every execution ended with exit code 0"
	if len(r.Executions) == 1 {
		text = "it ended with exit code 0"
	}
	return Trusted(MostDisturbed(r.Conditions), text, r.Environment.StealShare)
}
