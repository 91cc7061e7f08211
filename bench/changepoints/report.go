package changepoints

import (
	"fmt"
	"math"
	"slices"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/store/history"
)

// periodic are the patterns whose change is one of the phase: the distribution stays as it is.
var periodic = []string{"phase_change", "phase_change_uniform", "multiple_phase_changes"}

// document makes the result.
func document(res *bed.Result, patterns, annotated []result) {
	byPattern(res, patterns)
	bySeries(res, annotated)
}

// group is some results under a name.
type group struct {
	name    string
	results []result
}

// groups are all results, and those in each half if there are both.
func groups(results []result) []group {
	all := []group{{"all", results}}
	for _, h := range []half{open, closed} {
		if some := filter(results, func(r result) bool { return r.half() == h }); len(some) > 0 &&
			len(some) < len(results) {
			all = append(all, group{h.String() + " half", some})
		}
	}
	return all
}

func filter(results []result, is func(result) bool) (some []result) {
	for _, r := range results {
		if is(r) {
			some = append(some, r)
		}
	}
	return some
}

// byPattern has the patterns of otava-test-data.
func byPattern(res *bed.Result, results []result) {
	t := res.Table("Patterns of otava-test-data", "pattern", "series", "changes", "hone: false", "precision", "recall",
		"F1", "Otava: false", "precision", "recall", "F1", "Otava at 5 %: false", "precision", "recall", "F1")
	t.Say("Otava has its own settings, then hone's level. False are points that find no change. Points and changes of all series of a row are counted together.")
	steady := filter(results, func(r result) bool { return !slices.Contains(periodic, r.Pattern) })
	rows := append(groups(results), group{"all but periodic", steady})
	var names []string
	for _, r := range results {
		if !slices.Contains(names, r.Pattern) {
			names = append(names, r.Pattern)
			rows = append(rows, group{r.Pattern, filter(results,
				func(x result) bool { return x.Pattern == r.Pattern })})
		}
	}
	for _, g := range rows {
		c := g.count(hone)
		row := []string{g.name, fmt.Sprint(len(g.results)), fmt.Sprint(c.changes)}
		for _, m := range []method{hone, otavaOwn, otavaLevel} {
			row = append(row, g.count(m).cells()...)
		}
		t.Row(row...)
	}
	for _, g := range groups(steady) {
		h, o, l := g.count(hone), g.count(otavaOwn), g.count(otavaLevel)
		res.Claim(fmt.Sprintf("change points of `hone history` in the patterns of otava-test-data without periods, %s",
			g.name),
			"%v", h.accuracy()).Against("Apache Otava %v; at hone's level %v", o.accuracy(), l.accuracy())
	}
	still := group{"", filter(results, func(r result) bool { return len(r.Truths[0]) == 0 })}
	res.Claim("`hone history`: otava-test-data's series without a change (noise, outliers, two bands) in which it sees one", "%v", still.alarms(hone)).
		Against("Apache Otava %v; at hone's level %v", still.alarms(otavaOwn), still.alarms(otavaLevel))
}

// count is of all series of a group.
func (g group) count(m method) (c counts) {
	for _, r := range g.results {
		c.add(r.Truths[0], r.found[m])
	}
	return c
}

// alarms is the share of the series with any point.
func (g group) alarms(m method) (s bed.Share) {
	for _, r := range g.results {
		s.Add(len(r.found[m]) > 0)
	}
	return s
}

// cells are false points, precision, recall and F1.
func (c counts) cells() []string {
	a := c.accuracy()
	f1 := "-"
	if c.changes > 0 {
		f1 = cell(a.f1())
	}
	return []string{fmt.Sprint(c.found - c.hits), cell(a.precision), cell(a.recall), f1}
}

func cell(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.2f", x)
}

// String is an accuracy as claims have it.
func (a accuracy) String() string {
	return fmt.Sprintf("F1 %s (precision %s, recall %s)", cell(a.f1()), cell(a.precision), cell(a.recall))
}

// bySeries has the series of the Turing Change Point Dataset.
func bySeries(res *bed.Result, results []result) {
	t := res.Table("Series of the Turing Change Point Dataset", "series", "values", "hone: points", "precision",
		"recall", "F1", "Otava: F1", "Otava at 5 %: F1", "no points: F1")
	t.Say("The newest %d values at most, with the annotations in them. Groups have the means of their series.",
		history.ChangeWindow)
	for _, g := range groups(results) {
		a := g.mean(hone)
		t.Row(g.name, "", "", cell(a.precision), cell(a.recall), cell(g.meanF1(hone)), cell(g.meanF1(otavaOwn)),
			cell(g.meanF1(otavaLevel)), cell(g.meanF1(nothing)))
		res.Claim(fmt.Sprintf("change points of `hone history` in the Turing Change Point Dataset, %d series, %s",
			len(g.results), g.name),
			"F1 %s (precision %s, recall %s)", cell(g.meanF1(hone)), cell(a.precision), cell(a.recall)).
			Against("Apache Otava F1 %s; at hone's level %s; no points at all %s", cell(g.meanF1(otavaOwn)),
				cell(g.meanF1(otavaLevel)), cell(g.meanF1(nothing)))
	}
	for _, r := range results {
		a := r.accuracy(hone)
		t.Row(r.Name, fmt.Sprint(len(r.Values)), fmt.Sprint(len(r.found[hone])), cell(a.precision), cell(a.recall),
			cell(a.f1()), cell(r.accuracy(otavaOwn).f1()), cell(r.accuracy(otavaLevel).f1()),
			cell(r.accuracy(nothing).f1()))
	}
}

func (r result) accuracy(m method) accuracy { return annotated(r.Truths, r.found[m]) }

// mean is of the precisions and of the recalls.
func (g group) mean(m method) (a accuracy) {
	n := float64(len(g.results))
	for _, r := range g.results {
		x := r.accuracy(m)
		a.precision, a.recall = a.precision+x.precision/n, a.recall+x.recall/n
	}
	return a
}

// meanF1 is of the series' own.
func (g group) meanF1(m method) (f1 float64) {
	for _, r := range g.results {
		f1 += r.accuracy(m).f1() / float64(len(g.results))
	}
	return f1
}
