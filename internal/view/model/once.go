package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// OnceSource says what the program is.
func OnceSource(r record.Executions) string {
	if r.Binary.GoVersion == "" && r.SHA256 != "" {
		return Source(r.Head, "SHA-256 "+r.SHA256[:min(12, len(r.SHA256))])
	}
	return Source(r.Head)
}

// OnceNotes are the warnings, those that all runs have once, and what the machine did.
func OnceNotes(runs ...record.Executions) (all []Statement) {
	say := func(i int, text string) {
		all = append(all, Statement{Word: "note", Text: About(i, len(runs)) + text, Tone: Warning})
	}
	for i, r := range runs {
		for _, w := range r.Warnings {
			common := !slices.ContainsFunc(runs, func(o record.Executions) bool {
				return !slices.Contains(o.Warnings, w)
			})
			switch {
			case !common:
				say(i, w)
			case i == 0:
				all = append(all, Statement{Word: "note", Text: w, Tone: Warning})
			}
		}
		if s := r.Conditions; s.Noticeable > 0 {
			say(i, fmt.Sprintf("disturbed, and kept: %d of %s: %s", s.Noticeable, units.Plural(s.Slices, "execution"),
				s.Total))
		}
	}
	return all
}

// FactsLine is the four numbers that people ask for:
//
//	user 1.92 s  system 0.03 s  real 1.95 s  max resident 84.2 MB
func FactsLine(f record.ExecutionFacts) string {
	var parts []string
	for _, one := range FactsOf(f) {
		parts = append(parts, one.Name+" "+one.Text)
	}
	return strings.Join(parts, "  ")
}

func FactsOf(f record.ExecutionFacts) []Row {
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

// onceUnder says what all variants had in common.
func onceUnder(r record.Executions) string {
	text := "no load; one execution of each in turn, to the end, "
	if len(r.Args) > 0 {
		text += "all with " + strings.Join(r.Args, " ") + ", "
	}
	return text + fmt.Sprintf("on %s, in %s", units.Plural(r.Environment.CPUs, "CPU"), r.Dir)
}

// onceCheckOf says whether a comparison of executions can be trusted.
func onceCheckOf(runs []record.Executions) Statement {
	stolen := 0.0
	for _, r := range runs {
		stolen = max(stolen, r.Environment.StealShare)
	}
	disturbed := slices.ContainsFunc(runs, func(r record.Executions) bool { return MostDisturbed(r.Conditions) })
	return Trusted(disturbed, "every execution ended with exit code 0", stolen)
}

// onceSides are the facts of each variant, one line each.
func onceSides(runs []record.Executions) (lines []string) {
	for i, r := range runs {
		if r.Facts != nil {
			lines = append(lines, fmt.Sprintf("%s: %s  (%s)", Letter(i), FactsLine(*r.Facts),
				units.Plural(r.Facts.Executions, "execution")))
		}
		if p := r.Profiled; p != nil && p.Passes > 0 {
			lines = append(lines, fmt.Sprintf("%s: the CPU profile saw %.0f %% of the CPU time of one more execution",
				Letter(i), 100*p.CPUShare))
		}
	}
	return lines
}
