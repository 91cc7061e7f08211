package page

import (
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/load"
)

// numbers fills in what the report of a run says in words and numbers.
func (s *storedRun) numbers(r *Run) {
	record := s.record
	if len(s.row.Doc) > 0 {
		r.Under = append(r.Under, report.Under(record)...)
	} else if record.Target != "" {
		r.Under = append(r.Under, record.Target)
	}
	r.Check = checkOf(record)
	r.Numbers = append(r.Numbers, report.RunNumbers(record)...)
	for _, more := range []func(lab.Record) (report.Row, bool){report.RunAccount, report.RunOutput, report.RunNeeds, report.RunMetrics} {
		if f, ok := more(record); ok {
			r.Numbers = append(r.Numbers, f)
		}
	}
	for _, row := range report.Causes(record.Causes, record.Counts.WrongStatuses) {
		row.Tone = Bad
		r.Errors = append(r.Errors, row)
	}
	r.Hot = report.HotLines(record.Hot, len(record.Hot))
}

// checkOf is the check of a run, and what else there is to know of its trust.
func checkOf(r lab.Record) Check {
	c := Check{Statement: Statement{Text: report.RunCheck(r), Tone: Good}}
	switch {
	case r.Status == ledger.Running:
		c.Tone = Neutral
	case r.Status != ledger.Complete || load.Invalid(r.Doubts) != nil:
		c.Tone = Bad
	case 2*r.Conditions.Noticeable > r.Conditions.Slices:
		c.Tone = Warning
	}
	for _, n := range report.RunAssumed(r) {
		c.Notes = append(c.Notes, Statement{Text: n.Text, Tone: Neutral})
	}
	for _, n := range report.RunDoubts(r) {
		c.Notes = append(c.Notes, Statement{Text: n.Text, Tone: toneOf(n)})
	}
	return c
}

// toneOf is the tone of a reason to doubt.
func toneOf(n report.Note) Tone {
	if n.Kind == "invalid" {
		return Bad
	}
	return Warning
}
