package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
)

// Ablation writes what the features of a program cost: the sentence on the one that costs most,
// how far the measurement can be trusted, and a row for each.
func Ablation(w io.Writer, a *tuning.Ablation) error {
	a = printable.Document(a)
	b := &strings.Builder{}
	c, runs := a.Outcome.Comparison, a.Outcome.Runs
	if !model.HasVerdict(c) {
		return writeComparison(w, model.ComparisonOf(c, runs, model.Brief), model.Full)
	}
	subjectLines(b, "full program", runs[0])
	for _, line := range ablationSentences(a) {
		fmt.Fprintln(b, line)
	}
	tried(b, a.Round, "without ")
	ablationTable(b, a)
	for _, f := range a.Features {
		if f.Different != "" {
			fmt.Fprintf(b, "note: without %s it answers differently (%s): the cost is that of the answers, too\n",
				f.Name, f.Different)
		}
	}
	caveatsOf(b, a.Round)
	fmt.Fprintf(b, "each cost is what goes away without the feature; costs of several need not add up. %s\n",
		holdsTogether(a.Round))
	commands, line := []string{}, lineOfRound(a.Round)
	for _, f := range a.Features {
		commands = append(commands, fmt.Sprintf("%s (without %s)", line.Stored("show", f.Run), f.Name))
	}
	wrapped(b, "next: ", ", ", append(commands, line.Stored("show", a.Comparison)+" (all variants)"))
	return write(w, b)
}

// ablationSentences say which feature costs most, and which cost nothing that shows.
func ablationSentences(a *tuning.Ablation) []string {
	var lines, none, unknown, saves []string
	for i, f := range a.Features {
		switch {
		case f.Claim == tuning.NotKnown:
			unknown = append(unknown, f.Name)
		case f.Claim == tuning.More:
			saves = append(saves, f.Name)
		case !f.Found:
			none = append(none, f.Name)
		case i == 0:
			lines = append(lines,
				fmt.Sprintf("%s costs most: without it a request takes %s less CPU time, %s of %s (%.3g %% interval %s)",
					f.Name, units.Nanos(f.CPU.Value), partOf(f.CPU.Share), units.Nanos(a.AsIs.CPUNanos), 100*f.CPU.Conf,
					shareSpan(f.CPU)))
		}
	}
	for _, one := range []struct {
		what  string
		names []string
	}{
		{"no cost found (the interval covers zero): ", none},
		{"saves CPU time (without it a request takes more): ", saves},
		{"not known (too few starts; raise --budget): ", unknown},
	} {
		if len(one.names) > 0 {
			lines = append(lines, one.what+strings.Join(one.names, ", "))
		}
	}
	return lines
}

// subjectLines name a program as it is, and the load.
func subjectLines(b *strings.Builder, what string, r record.Run) {
	fmt.Fprintf(b, "%s: %s%s\n", what, r.Label, model.Source(r.Head))
	wrapped(b, "under: ", "; ", model.Under(r))
	if r.Assumption != "" {
		fmt.Fprintf(b, "note: %s\n", r.Assumption)
	}
}

// tried says how the measurement of a round went; prefix stands before the names of its settings.
func tried(b *strings.Builder, r *tuning.Round, prefix string) {
	names := []string{"A as it is"}
	for i, e := range r.Effects {
		names = append(names, model.Letter(i+1)+" "+prefix+e.Name)
	}
	wrapped(b, "variants: ", ", ", names)
	m := model.ComparisonOf(r.Outcome.Comparison, r.Outcome.Runs, model.Brief)
	fmt.Fprintln(b, m.Stopped)
	say(b, []model.Statement{m.Check}, m.Doubts)
}

func ablationTable(b *strings.Builder, a *tuning.Ablation) {
	tw := leftColumns(b)
	fmt.Fprintln(tw, "feature\tCPU per request\tof all\tinterval\tcollector\tallocated\tp50 latency\tp99 latency")
	for _, f := range a.Features {
		of, span := "-", "-"
		if f.CPU != nil && f.CPU.Bounded {
			of, span = partOf(f.CPU.Share), shareSpan(f.CPU)
		}
		fmt.Fprintln(tw, strings.Join([]string{
			f.Name, costCell(f.CPU), of, span, fromTo(f.CollectorWith, f.CollectorWithout), costCell(f.Bytes),
			costCell(f.P50), costCell(f.P99),
		}, "\t"))
	}
	tw.Flush()
}

// costCell is what a feature costs of a measure.
func costCell(c *tuning.Cost) string {
	switch {
	case c == nil:
		return "-"
	case !c.Bounded:
		return "too few starts"
	case !c.Shown:
		return "none found"
	default:
		return units.FamilyOf(c.Unit).Write(c.Value)
	}
}

// shareSpan is the interval of a cost as a part of what the full program takes.
func shareSpan(c *tuning.Cost) string {
	if !c.Bounded {
		return "too few starts"
	}
	return units.Span(c.Low, c.High)
}

// partOf writes a part of a whole.
func partOf(part float64) string { return fmt.Sprintf("%.2g %%", 100*part) }

// fromTo is the collector's share of the CPU time before and after.
func fromTo(from, to *float64) string {
	text := func(share *float64) string {
		if share == nil {
			return "-"
		}
		return fmt.Sprintf("%.2g", 100**share)
	}
	if from == nil && to == nil {
		return "-"
	}
	return text(from) + " -> " + text(to) + " %"
}

// holdsTogether says what the intervals of a round promise.
func holdsTogether(r *tuning.Round) string {
	if len(r.Effects) == 1 {
		return fmt.Sprintf("The intervals are of %.3g %%", 100*r.Conf)
	}
	return fmt.Sprintf("On each measure the intervals of all %d hold at once in %.3g %% of such measurements",
		len(r.Effects), 100*r.Conf)
}

// caveatsOf writes what else changed with a setting, but for caveats of the names given.
func caveatsOf(b *strings.Builder, r *tuning.Round, but ...string) {
	for _, e := range r.Effects {
		for _, c := range e.Caveats {
			if slices.Contains(but, c.Name) {
				continue
			}
			fmt.Fprintf(b, "note: %s: %s (%s)\n", e.Name, c.Text, c.Detail)
		}
	}
}
