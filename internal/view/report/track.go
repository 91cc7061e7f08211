package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model/lists"
	"github.com/gohone/hone/judge"
)

// Track writes what a job added to the series of a branch.
func Track(w io.Writer, o *series.Outcome) error {
	o = printable.Document(o)
	b := &strings.Builder{}
	commit := fmt.Sprintf("%.12s (%s)", o.Tracked.Hash, o.Tracked.Subject)
	for _, p := range o.Points {
		switch {
		case p.Again:
			writeAgain(b, p)
			continue
		case p.Base == nil:
			fmt.Fprintf(b, "the series of %s begins with %s: the next commit is compared with it\n", o.Branch, commit)
		case p.Anchor:
			fmt.Fprintf(b, "%s against the anchor of %s, %.12s: %s\n", commit, o.Branch, p.Base.Hash, trackedNumbers(p))
		default:
			fmt.Fprintf(b, "%s of %s against %.12s: %s\n", commit, o.Branch, p.Base.Hash, trackedNumbers(p))
		}
		writeTracked(b, p)
	}
	for _, note := range o.Notes {
		fmt.Fprintf(b, "note: %s\n", note)
	}
	for _, f := range o.Faults {
		fmt.Fprintf(b, "%s\n", f.Text())
	}
	if len(o.Points) > 0 {
		fmt.Fprintf(b, "kept in %s\n", o.Store)
	}
	return writeNarrow(w, b)
}

// writeAgain writes a point that says more of a step.
func writeAgain(b *strings.Builder, p series.Point) {
	ends := fmt.Sprintf("%.12s against %.12s", p.Commit.Hash, p.Base.Hash)
	for v := range p.All() {
		what := cmp.Or(v.Name, p.Subject) + " " + v.Measure
		switch {
		case v.State == series.Searched && p.Found != nil:
			fmt.Fprintf(b, "%s: the search found %.12s of %s: %s\n", what, p.Found.Hash, p.Found.Author, p.Found.Subject)
		case v.State == series.Searched:
			fmt.Fprintf(b, "%s: the search after %.12s found no single commit\n", what, p.Base.Hash)
		case v.State == series.Measured:
			fmt.Fprintf(b, "%s, %s, measured again: %s %s\n", what, ends, lists.ChangeText(v.Ratio, v.Low, v.High), v.Verdict)
		case v.State == series.Unchanged:
			fmt.Fprintf(b, "%s, %s, measured again: the same code\n", what, ends)
		default:
			fmt.Fprintf(b, "%s, %s, measured again: no result\n", what, ends)
		}
	}
}

// trackedNumbers counts the benchmarks of a point, or the measures of a service.
func trackedNumbers(p series.Point) string {
	if p.Subject != series.Benchmarks {
		return trackedService(p)
	}
	names := map[series.State]map[string]bool{}
	for v := range p.All() {
		if names[v.State] == nil {
			names[v.State] = map[string]bool{}
		}
		names[v.State][v.Name] = true
	}
	parts := []string{units.Plural(len(names[series.Measured]), "benchmark") + " measured"}
	for _, of := range []struct {
		state series.State
		words string
	}{{series.Unchanged, "not measured, since they execute nothing that changed"}, {series.Begins, "begin anew"},
		{series.Removed, "removed"}, {series.Failed, "failed"}} {
		if n := len(names[of.state]); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, of.words))
		}
	}
	return strings.Join(parts, ", ")
}

// trackedService says whether a service was measured.
func trackedService(p series.Point) string {
	all, with := 0, 0
	for v := range p.All() {
		all++
		if v.State != series.Unchanged {
			with++
		}
	}
	switch {
	case with > 0:
		return units.Plural(with, "measure") + " compared"
	case p.Anchor && all == 0:
		return "not measured"
	}
	return "not measured, since the load executes nothing that changed"
}

// writeTracked writes the values of a point that show a difference.
func writeTracked(b *strings.Builder, p series.Point) {
	table := leftColumns(b)
	for _, v := range p.Values {
		if !judge.Word(v.Verdict).Different() {
			continue
		}
		confirmed := ""
		if v.Confirmed {
			confirmed = ", confirmed"
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s%s\n", cmp.Or(v.Name, p.Subject), v.Measure, lists.ChangeText(v.Ratio, v.Low, v.High),
			v.Verdict, confirmed)
	}
	table.Flush()
}
