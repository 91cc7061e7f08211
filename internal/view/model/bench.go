package model

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// BenchComparisonOf makes what is shown of a measurement of benchmarks: a contest whose measures are the benchmarks.
func BenchComparisonOf(r *gobench.Result) *Comparison {
	m := &Comparison{Compared: len(r.Benchmarks) > 0, Headline: BenchSentence(r), Under: BenchUnder(r), Notes: BenchNotes(r)}
	for i, side := range r.Sides {
		m.Variants = append(m.Variants, Variant{Letter: Letter(i), Label: side.Label, Commit: side.Commit, Source: side.Commit})
	}
	word := judge.Word(BenchWord(r))
	m.Verdicts = []Statement{{Text: m.Headline, Tone: WordTone(word)}}
	if !m.Compared {
		m.Verdicts[0].Tone = Bad
	}
	m.Check = Statement{Text: fmt.Sprintf("%s, %s", units.Plural(len(r.Benchmarks), "benchmark"), units.Plural(r.Rounds, "round")), Tone: Good}
	if packages, benchmarks := r.FailureCount(); packages+benchmarks > 0 {
		m.Check.Tone = Warning
	}
	m.Open = Neutrals(BenchNeed(r))
	m.Contests = []Contest{{A: 0, B: 1, Word: string(word), Tone: WordTone(word), Tolerance: r.Delta, Measures: benchMeasures(r)}}
	for name, gates := range r.Gates {
		for _, g := range gates {
			one := GateOf(g, "")
			one.Text = name + ": " + one.Text
			m.Gates = append(m.Gates, one)
		}
	}
	return m
}

// benchMeasures has a row for each benchmark and measure.
func benchMeasures(r *gobench.Result) []MeasureRow {
	rows := []MeasureRow{}
	many := slices.ContainsFunc(r.Benchmarks, func(b gobench.Benchmark) bool { return b.Package != r.Benchmarks[0].Package })
	for _, b := range r.Benchmarks {
		for i, v := range b.Verdicts {
			row := BenchMeasure(v)
			row.Key, row.Gated, row.Name = b.Package+"."+b.Name+" "+v.Measure.Key, i == 0, b.Name+" "+v.Measure.Name
			if many {
				row.Name = b.Package + " " + row.Name
			}
			rows = append(rows, row)
		}
	}
	for _, v := range r.Geomean {
		row := BenchMeasure(v)
		row.Key, row.Name, row.Gated = "geomean "+v.Measure.Key, "geometric mean of all, "+v.Measure.Name, false
		rows = append(rows, row)
	}
	return rows
}

// BenchSides are the labels of both sides.
func BenchSides(r *gobench.Result) []string {
	return printable.Document([]string{r.Sides[0].Label, r.Sides[1].Label})
}

// BenchAgain is the command that compares the results of benchmarks once more; empty where there are none, or the files
// are another machine's.
func BenchAgain(r *gobench.Result) string {
	if len(r.Benchmarks) == 0 || r.Files[0] == "" {
		return ""
	}
	return spec.Line{"bench compare", r.Files[0], r.Files[1]}.String()
}
