package page

import (
	"strings"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/gobench"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/loadtest"
	"github.com/gohone/hone/internal/report"
)

// kindOfRun is the screen of a run, by its document.
func kindOfRun(r ledger.Run) Kind {
	switch lab.SchemaOf(r.Doc) {
	case lab.OnceSchema:
		return KindOnce
	case loadtest.StoredSchema:
		return KindLoad
	}
	return KindRun
}

// kindOfComparison is the screen of a comparison, by its document.
func kindOfComparison(c ledger.Comparison) Kind {
	if lab.SchemaOf(c.Doc) == gobench.Schema {
		return KindBench
	}
	return KindComparison
}

// entryOfRun is the line of a run.
func entryOfRun(r ledger.Run) Entry {
	e := Entry{Kind: kindOfRun(r), ID: r.ID, Started: r.Started, Title: r.Label, Status: string(r.Status), Tone: toneOfStatus(r.Status)}
	if r.Comparison != "" {
		e.Title += " (" + r.Variant + " of " + r.Comparison + ")"
	}
	e.Text = notComplete(r.Status, r.Reason)
	if summary := report.RunSummary(r); e.Text == "" && summary != "-" {
		e.Text = summary
		if e.Kind == KindRun {
			e.Text = compare.CPU.Name + " " + summary
		}
	}
	return e
}

// entryOfComparison is the line of a comparison.
func (l *Library) entryOfComparison(c ledger.Comparison) (Entry, error) {
	e := Entry{Kind: kindOfComparison(c), ID: c.ID, Started: c.Started, Status: string(c.Status), Tone: toneOfStatus(c.Status)}
	labels := report.BenchSides(c)
	if len(labels) == 0 && len(c.Runs) > 0 {
		runs, err := l.Ledger.Runs(ledger.RunFilter{Comparison: c.ID, NoDoc: true})
		if err != nil {
			return e, err
		}
		for i := range runs { // the newest first
			labels = append([]string{runs[i].Label}, labels...)
		}
	}
	e.Title = strings.Join(labels, " against ")
	if e.Text = notComplete(c.Status, c.Reason); e.Text != "" {
		return e, nil
	}
	e.Text = c.Sentence
	doc := lab.ComparisonRecord{}
	if e.Text == "" && lab.SchemaOf(c.Doc) == lab.ComparisonSchema && lab.Decode(c.Doc, &doc, lab.ComparisonSchema) == nil && len(doc.Contests) > 0 {
		e.Text, c.Word = report.ContestSentence(doc.Contests[0]), string(doc.Word)
	}
	switch compare.Word(c.Word) {
	case compare.Faster:
		e.Tone = Better
	case compare.Slower:
		e.Tone = Worse
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

// toneOfStatus says whether a state lets the numbers be trusted.
func toneOfStatus(status ledger.Status) Tone {
	switch status {
	case ledger.Complete, ledger.Running:
		return Neutral
	case ledger.Invalid:
		return Bad
	}
	return Warning
}
