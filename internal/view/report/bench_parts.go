package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/judge/compare"
)

// BenchUnder are the conditions of a measurement of benchmarks, as Bench writes them.
func BenchUnder(r *gobench.Result) []string {
	b := &strings.Builder{}
	benchConditions(b, r)
	return linesOf(b)
}

// BenchTexts are the texts of one row of Bench's tables. A and B are in Unit, without it.
func BenchTexts(v compare.Verdict) MeasureTexts {
	t := TextsOf(v)
	t.Change, t.Interval, t.Word = benchChange(v), benchInterval(v), benchWord(v)
	return t
}

// BenchNotes are what Bench says besides: benchmarks that changed themselves, ways of measuring, failures, what was left out.
func BenchNotes(r *gobench.Result) []string {
	b := &strings.Builder{}
	benchChanged(b, r)
	for _, text := range slices.Concat(benchCaveats(r), benchWays(r), benchDiffers(r)) {
		fmt.Fprintln(b, text)
	}
	benchLeft(b, r)
	for _, n := range r.Notes {
		fmt.Fprintln(b, strings.TrimSpace(n.Package+" "+n.Text))
	}
	if need := benchNeed(r); need != "" {
		fmt.Fprintln(b, need)
	}
	return linesOf(b)
}
