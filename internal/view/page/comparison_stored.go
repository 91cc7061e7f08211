package page

import (
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/judge"
)

// Pair makes the page of two stored runs side by side: that of their comparison where they were measured together, as
// hone compare with two runs shows it. Errors are those of history.Compare.
func (l *Library) Pair(a, b string) (*Comparison, error) {
	together, s, err := l.Stored.Pair(a, b, judge.Options{})
	if err != nil {
		return nil, err
	}
	if together != nil {
		return l.comparison(together)
	}
	of := &stored.Comparison{Row: ledger.Comparison{Status: ledger.Complete, Started: s.B.Started},
		Record: &record.Comparison{
			Schema: record.ComparisonSchema, Status: ledger.Complete, Runs: []string{s.A.ID, s.B.ID},
			Contests: []record.Contest{{A: 0, B: 1, Verdicts: s.Verdicts}},
		}}
	if len(s.Verdicts) > 0 {
		of.Record.Contests[0].Word = s.Verdicts[0].Word
	}
	if of.Runs, err = l.Stored.Runs(of.Record.Runs); err != nil {
		return nil, err
	}
	p, err := l.comparison(of)
	if err != nil {
		return nil, err
	}
	p.Kind, p.Stopped, p.Gates, p.Answers = KindStored, "", nil, nil
	side := model.PairOf(s)
	p.Verdicts, p.Check = side.Verdicts, model.Check{Statement: side.Check, Notes: side.Doubts}
	p.Commands = []model.Command{
		{Line: "hone compare REF:PACKAGE PACKAGE", What: "measures both together, which decides"},
		{Line: "hone compare " + s.A.ID + " " + s.B.ID, What: "this again, as text"},
	}
	return p, nil
}
