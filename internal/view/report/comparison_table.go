package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/text/units"
)

// tables writes all measures of every contest, a table each.
func tables(b *strings.Builder, c *lab.ComparisonRecord, runs []lab.Head) {
	for _, contest := range c.Contests {
		if len(contest.Verdicts) == 0 {
			continue
		}
		if len(c.Contests) > 1 {
			fmt.Fprintf(b, "%s against %s\n", variantName(runs, contest.B), variantName(runs, contest.A))
		}
		tw := leftColumns(b)
		fmt.Fprintf(tw, "measure\tunit\t%s\t%s\tchange\tinterval\t%s is\n", Letter(contest.A), Letter(contest.B), Letter(contest.B))
		for _, v := range contest.Verdicts {
			fmt.Fprintln(tw, strings.Join(measureRow(v), "\t"))
		}
		tw.Flush()
	}
}

// variantName is a variant by its letter and label.
func variantName(runs []lab.Head, i int) string {
	if i >= len(runs) || runs[i].Label == "" {
		return Letter(i)
	}
	return Letter(i) + " " + runs[i].Label
}

// MeasureTexts are the texts of one line of a table. A and B are in Unit, without it.
type MeasureTexts struct{ Name, Unit, A, B, Change, Interval, Word string }

// TextsOf are the texts of a verdict on one measure.
func TextsOf(v compare.Verdict) MeasureTexts {
	p := pairOf(v)
	return MeasureTexts{
		Name: v.Measure.Name, Unit: cmp.Or(p.unit, v.Measure.Unit), A: p.a, B: p.b,
		Change: units.Percent(v.Ratio - 1), Interval: span(v, "too few starts"), Word: wordFor(v),
	}
}

// measureRow is one line of a table: name, unit, A, B, change, interval, word.
func measureRow(v compare.Verdict) []string {
	t := TextsOf(v)
	return []string{t.Name, t.Unit, t.A, t.B, t.Change, t.Interval, t.Word}
}

// wordFor is the verdict as it reads for a measure: memory gets no faster.
func wordFor(v compare.Verdict) string {
	changed := v.Word.Different()
	switch {
	case !changed || v.Measure.Unit == compare.CPU.Unit || v.Measure.Unit == compare.Throughput.Unit:
		return string(v.Word)
	case (v.Word == compare.Faster) == (v.Measure.Better == compare.Higher):
		return "more"
	default:
		return "less"
	}
}
