package model

import (
	"fmt"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// modesNote says into which two groups the starts of a verdict fall; empty where they are one.
func modesNote(v judge.Verdict) string {
	m := v.Modes
	if m == nil {
		return ""
	}
	return fmt.Sprintf("its starts fall into two groups: %s in %d of them, and %s in %d. Something that comes and goes "+
		"decides how the sides compare, such as another program on the same core: the interval is of the mixture",
		units.Percent(m.Low-1), m.LowStarts, units.Percent(m.High-1), m.HighStarts)
}

// contestModes are the notes on groups of starts.
func contestModes(c *record.Comparison) (all []Statement) {
	for _, contest := range c.Contests {
		for _, v := range contest.Verdicts {
			if text := modesNote(v); text != "" {
				all = append(all, Statement{Word: "note", Tone: Warning,
					Text: fmt.Sprintf("%s of %s: %s", v.Measure.Name, Letter(contest.B), text)})
			}
		}
	}
	return all
}

// BenchNeighbours say how much of the measurement the machine disturbed, and which benchmarks fall into groups.
func BenchNeighbours(r *benchmarks.Result) (notes []string) {
	disturbed, all := 0, 0
	for _, b := range r.Benchmarks {
		disturbed, all = disturbed+b.Disturbed, all+b.Rounds
		for _, v := range b.Verdicts {
			if text := modesNote(v); text != "" {
				notes = append(notes, b.Name+": "+text)
			}
		}
	}
	if disturbed > 0 {
		notes = append(notes, fmt.Sprintf("the machine was busy during %d of %d starts of both sides; they are included. "+
			"hone doctor says why", disturbed, all))
	}
	return notes
}
