package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model/lists"
)

// fewSeries is how many series are shown commit by commit; of more each has its newest value and its steps.
const fewSeries = 3

// Series writes series of a repository: for each the newest value against the first one, and the steps. number is how
// many of the newest commits of a series are shown, 0 for all.
func Series(w io.Writer, h *chains.History, number int) error {
	h = printable.Document(h)
	b := &strings.Builder{}
	for i, l := range h.Lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		writeLine(b, l, len(h.Lines) <= fewSeries, number)
	}
	switch {
	case len(h.Lines) > 0:
	case h.Commits < 2:
		fmt.Fprintf(b, "%s has no such series: hone track adds a point at each commit, and the second one is the first that is "+
			"compared\n", h.Store)
	default:
		fmt.Fprintf(b, "%s has %d commits, and no such series: a benchmark has one when a commit changed what it executes, and it "+
			"was measured\n", h.Store, h.Commits)
	}
	for _, n := range h.Notes {
		fmt.Fprintf(b, "note: %s\n", n.Text)
	}
	for _, f := range h.Faults {
		fmt.Fprintf(b, "%s\n", f.Text())
	}
	return write(w, b)
}

// SeriesSummary is a series in a sentence: its newest value against the first one.
func SeriesSummary(l chains.Line) string {
	text := l.Of() + " " + l.Measure + ", branch " + l.Branch
	if latest := l.Latest(); latest != nil {
		text += ": " + valueWords(l, latest) + " at " + lists.CommitText(latest.Commit)
	}
	return text
}

func writeLine(b *strings.Builder, l chains.Line, commits bool, number int) {
	fmt.Fprintf(b, "%s  %s, branch %s%s\n", l.Of(), l.Measure, l.Branch, importedWords(l))
	if latest := l.Latest(); latest != nil {
		fmt.Fprintf(b, "  at %s: %s against the first of %s\n", lists.CommitText(latest.Commit), valueWords(l, latest),
			units.Plural(len(l.Places), "commit"))
	}
	for _, s := range l.Steps {
		fmt.Fprintf(b, "  %s\n", lists.StepText(s))
	}
	if commits {
		writePlaces(b, l, number)
	}
}

func importedWords(l chains.Line) string {
	if l.Imported == "" {
		return ""
	}
	return ", imported from " + l.Imported + ": single runs, which were not compared side by side"
}

// valueWords is a place against the beginning of its chain.
func valueWords(l chains.Line, p *chains.Place) string {
	if !l.Paired() {
		return units.Percent(p.Value.Ratio - 1)
	}
	return lists.ChangeText(p.Value.Ratio, p.Value.Low, p.Value.High)
}

// writePlaces writes the newest commits of a series with a bar each.
func writePlaces(b *strings.Builder, l chains.Line, number int) {
	places := l.Places
	if number > 0 && len(places) > number {
		fmt.Fprintf(b, "  (%d earlier not shown: -n 0 shows all)\n", len(places)-number)
		places = places[len(places)-number:]
	}
	var values []ledger.MeasureValue
	for _, p := range places {
		if v := valueOf(l, p); v != nil {
			values = append(values, *v)
		}
	}
	scale := bandOf(values)
	t := &grid{}
	t.row("  commit", "date", "against the one before", "against the first", "")
	for _, p := range places {
		link, value, bar := string(p.State), "", ""
		if p.Link != nil && p.State == series.Measured {
			link = lists.ChangeText(p.Link.Ratio, p.Link.Low, p.Link.High)
		}
		if v := valueOf(l, p); v != nil {
			value, bar = units.Percent(p.Value.Ratio-1), scale.draw(*v)
		}
		t.row("  "+lists.CommitText(p.Commit), lists.DayText(p.Commit), link, value, bar)
	}
	t.write(b)
}

// valueOf is a place as what a bar shows; nil of one without a value.
func valueOf(l chains.Line, p chains.Place) *ledger.MeasureValue {
	if p.Value == nil {
		return nil
	}
	v := &ledger.MeasureValue{Value: p.Value.Ratio}
	if l.Paired() {
		low, high := p.Value.Low, p.Value.High
		v.Low, v.High = &low, &high
	}
	return v
}
