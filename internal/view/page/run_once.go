package page

import (
	"fmt"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/view/report"
)

// onceRun is the page of a program that was executed to its end.
func (l *Library) onceRun(s *storedRun, of *lab.OnceRecord) *Run {
	doc := *of
	r := s.page(KindOnce)
	r.Under = append(r.Under, report.OnceConditions(doc))
	r.Check = Check{Statement: Statement{Text: report.OnceRunCheck(doc), Tone: Good}}
	switch {
	case doc.Status == ledger.Running:
		r.Check.Tone = Neutral
	case doc.Status != ledger.Complete:
		r.Check.Tone = Bad
	case 2*doc.Conditions.Noticeable > doc.Conditions.Slices:
		r.Check.Tone = Warning
	}
	for _, n := range report.OnceNotes(doc) {
		r.Check.Notes = append(r.Check.Notes, Statement{Text: n.Text, Tone: toneOf(n)})
	}
	r.Numbers = append(r.Numbers, report.OnceNumbers(doc)...)
	if f, ok := report.OnceProfiled(doc); ok {
		r.Numbers = append(r.Numbers, f)
	}
	for i, one := range doc.Executions {
		if one.Failure != "" {
			r.Errors = append(r.Errors, Row{Name: fmt.Sprintf("execution %d", i+1), Text: one.Failure, Tone: Bad})
		}
	}
	r.Hot = report.HotLines(doc.Hot, len(doc.Hot))
	l.findings(s, r)
	return s.finish(r)
}

// capturedRun is the page of profiles that were taken under a load that is not hone's, or imported from files; nil: of
// what hone watch kept.
func (l *Library) capturedRun(s *storedRun, of *lab.CaptureRecord) *Run {
	doc := lab.CaptureRecord{Head: s.record.Head}
	if of != nil {
		doc = *of
	}
	r := s.page(KindRun)
	r.Under = append(r.Under, "hone put no load on it")
	r.Check = Check{Statement: Statement{Text: "only profiles are kept; nothing else was measured", Tone: Neutral}}
	if doc.Status != ledger.Complete {
		r.Check.Statement = Statement{Text: fmt.Sprintf("profiles %s: %s", doc.Status, doc.Reason), Tone: Bad}
	}
	for _, w := range doc.Warnings {
		r.Check.Notes = append(r.Check.Notes, Statement{Text: w, Tone: Warning})
	}
	for _, k := range doc.Captures {
		r.Numbers = append(r.Numbers, report.CaptureRow(k))
	}
	r.Hot = report.HotLines(doc.Hot, len(doc.Hot))
	l.findings(s, r)
	return s.finish(r)
}
