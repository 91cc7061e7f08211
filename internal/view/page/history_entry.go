package page

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/model/commits"
	"github.com/gohone/hone/internal/view/model/lists"
	"github.com/gohone/hone/internal/view/model/loadtest"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/judge"
)

// entryOfRun is the line of a run.
func entryOfRun(row ledger.Run) Entry {
	r, _ := stored.RunOf(row) // one whose document is damaged has a line, too
	e := Entry{Kind: KindRun, ID: row.ID, Started: row.Started, Title: runTitle(row), Status: string(row.Status),
		Tone: loadtest.ToneOf(row.Status)}
	switch {
	case r.Once != nil:
		e.Kind = KindOnce
	case r.Load != nil:
		e.Kind = KindLoad
	}
	e.Disturbed = model.MostDisturbed(r.Record.Conditions)
	if row.Comparison != "" {
		e.Comparison = row.Comparison
		e.Title += " (" + row.Variant + " of " + row.Comparison + ")"
	}
	e.Text = notComplete(row.Status, row.Reason)
	if summary := lists.RunSummary(r); e.Text == "" && summary != "-" {
		e.Text = summary
		if e.Kind == KindRun {
			e.Text = measure.CPU.Name + " " + summary
		}
	}
	return e
}

// entryOfComparison is the line of a comparison.
func (l *Library) entryOfComparison(row ledger.Comparison) (Entry, error) {
	c, damaged := stored.ComparisonOf(row)
	e := Entry{Kind: KindComparison, ID: row.ID, Started: row.Started, Status: string(row.Status),
		Tone: loadtest.ToneOf(row.Status)}
	if c.Bench != nil {
		e.Kind, e.Title = KindBench, benchTitle(c.Bench)
	}
	if c.Bench == nil && len(row.Runs) > 0 {
		runs, err := l.Stored.Ledger.Runs(ledger.RunFilter{Comparison: row.ID, NoDoc: true})
		if err != nil {
			return e, err
		}
		var variants []titled
		for _, r := range slices.Backward(runs) { // the newest first
			variants = append(variants, titledOf(r.Label, r.Package))
		}
		e.Title = versus(variants)
	}
	if c.Bisect != nil {
		e.Kind, e.Title = KindBisect, strings.Join(commits.BisectEnds(c.Bisect), " to ")
	}
	if e.Text = notComplete(row.Status, row.Reason); e.Text != "" {
		return e, nil
	}
	e.Text = row.Sentence
	word := judge.Word(row.Word)
	if doc := c.Record; e.Text == "" && damaged == nil && doc != nil && !c.OfExecutions() && len(doc.Contests) > 0 {
		e.Text, word = model.ContestSentence(doc.Contests[0]), doc.Word
	}
	if b := c.Bisect; b != nil && len(b.Steps) > 0 && b.Steps[0].Verdict != nil {
		word = b.Steps[0].Verdict.Word
	}
	switch word {
	case judge.Faster:
		e.Tone = model.Better
	case judge.Slower:
		e.Tone = model.Worse
	}
	return e, nil
}

// notComplete is the state with its reason; empty for what is complete.
func notComplete(status ledger.Status, reason string) string {
	switch {
	case status == ledger.Complete:
		return ""
	case reason == "":
		return string(status)
	}
	return string(status) + ": " + reason
}
