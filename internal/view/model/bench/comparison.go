package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// ComparisonOf makes what is shown of a measurement of benchmarks: a contest whose measures are the benchmarks.
func ComparisonOf(r *benchmarks.Result) *model.Comparison {
	m := &model.Comparison{Compared: len(r.Benchmarks) > 0, Outcome: model.Outcome{Headline: Sentence(r)},
		Setup: model.Setup{Under: Under(r)},
		Trust: model.Trust{Notes: Notes(r)}}
	for i, side := range r.Sides {
		m.Variants = append(m.Variants, model.Variant{Letter: model.Letter(i), Label: side.Label, Commit: side.Commit,
			Source: side.Commit})
	}
	word := judge.Word(Word(r))
	m.Verdicts = []model.Statement{{Text: m.Headline, Tone: model.WordTone(word)}}
	if !m.Compared {
		m.Verdicts[0].Tone = model.Bad
	}
	m.Check = model.Statement{Text: fmt.Sprintf("%s, %s", units.Plural(len(r.Benchmarks), "benchmark"),
		units.Plural(r.Rounds, "round")), Tone: model.Good}
	if packages, benchmarks := r.FailureCount(); packages+benchmarks > 0 {
		m.Check.Tone = model.Warning
	}
	m.Open = model.Neutrals(Need(r))
	m.Contests = []model.Contest{{A: 0, B: 1, Word: string(word), Tone: model.WordTone(word), Tolerance: r.Delta,
		Measures: benchMeasures(r), Shared: benchShared(r)}}
	m.Gates = benchGates(r)
	return m
}

// benchShared is sharedLevel of benchmarks, each of which is asked about its first measure.
func benchShared(r *benchmarks.Result) string {
	var all []judge.Verdict
	for _, b := range r.Benchmarks {
		if len(b.Verdicts) > 0 {
			v := b.Verdicts[0]
			v.Measure.Name = b.Name
			all = append(all, v)
		}
	}
	return model.SharedLevel(all, "benchmarks")
}

// benchMeasures has a row for each benchmark and measure, those of one measure one after the other: what got worse
// comes first, then what got better, the largest changes first, and last the mean of all.
func benchMeasures(r *benchmarks.Result) []model.MeasureRow {
	groups := map[string][]model.MeasureRow{}
	var order []string
	many := slices.ContainsFunc(r.Benchmarks, func(b benchmarks.Benchmark) bool {
		return b.Package != r.Benchmarks[0].Package
	})
	for _, b := range r.Benchmarks {
		for i, v := range b.Verdicts {
			row := MeasureOf(v)
			row.Key, row.Gated, row.Benchmark, row.Group = b.Package+"."+b.Name+" "+v.Measure.Key, i == 0, b.Name,
				v.Measure.Name
			if many {
				row.Benchmark = b.Package + " " + b.Name
			}
			row.Name = row.Benchmark + " " + row.Group
			if groups[row.Group] == nil {
				order = append(order, row.Group)
			}
			groups[row.Group] = append(groups[row.Group], row)
		}
	}
	for _, rows := range groups {
		slices.SortStableFunc(rows, worstFirst)
	}
	for _, v := range Geomeans(r) {
		row := MeasureOf(v)
		row.Key, row.Benchmark, row.Group, row.Gated = "geomean "+v.Measure.Key, "geometric mean of all",
			v.Measure.Name, false
		row.Name = row.Benchmark + ", " + row.Group
		groups[row.Group] = append(groups[row.Group], row)
	}
	rows := []model.MeasureRow{}
	for _, name := range order {
		rows = append(rows, groups[name]...)
	}
	return rows
}

// worstFirst orders rows of one measure: worse, better, and what is not decided or the same.
func worstFirst(x, y model.MeasureRow) int {
	rank := func(m model.MeasureRow) int {
		switch m.Tone {
		case model.Worse:
			return 0
		case model.Better:
			return 1
		}
		return 2
	}
	size := func(m model.MeasureRow) float64 { return math.Abs(math.Log(math.Max(1e-9, 1+m.Change.Value))) }
	return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(size(y), size(x)))
}

// Geomeans are the means over all benchmarks. A measure that is 0 in one of them has no geometric
// mean: allocations, for example.
func Geomeans(r *benchmarks.Result) (all []judge.Verdict) {
	for _, mean := range r.Geomean {
		none := func(v judge.Verdict) bool { return v.Measure.Key == mean.Measure.Key && min(v.A, v.B) <= 0 }
		if !slices.ContainsFunc(r.Benchmarks, func(b benchmarks.Benchmark) bool {
			return slices.ContainsFunc(b.Verdicts, none)
		}) {
			all = append(all, mean)
		}
	}
	return all
}

// Sides are the labels of both sides.
func Sides(r *benchmarks.Result) []string {
	return printable.Document([]string{r.Sides[0].Label, r.Sides[1].Label})
}

// Again is the command that compares the results of benchmarks once more; empty where there are none, or the files
// are another machine's.
func Again(r *benchmarks.Result) string {
	if len(r.Benchmarks) == 0 || r.Files[0] == "" {
		return ""
	}
	return spec.Line{"bench compare", r.Files[0], r.Files[1]}.String()
}
