package page

import (
	"fmt"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/history"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/report"
)

// Stored makes the page of two stored runs side by side: that of their comparison where they were measured together, as
// hone compare with two runs shows it. Errors are those of history.Compare.
func (l *Library) Stored(a, b string) (*Comparison, error) {
	rows := make([]ledger.Run, 2)
	for i, name := range []string{a, b} {
		var err error
		if rows[i], err = l.Ledger.Run(name); err != nil {
			return nil, err
		}
	}
	compareRuns := func() (*history.Stored, error) {
		return history.Compare(l.Ledger, rows[0].ID, rows[1].ID, compare.Options{})
	}
	if together := history.SharedComparison(rows[0], rows[1]); together != "" {
		row, err := l.Ledger.Comparison(together)
		if err != nil {
			return nil, err
		}
		if row.Runs[0] == rows[0].ID || lab.SchemaOf(row.Doc) == lab.OnceComparisonSchema {
			return l.Comparison(together)
		}
		compareRuns = func() (*history.Stored, error) {
			return history.Together(l.Ledger, rows[0].ID, rows[1].ID, compare.Options{})
		}
	}
	s, err := compareRuns()
	if err != nil {
		return nil, err
	}
	c := &compared{library: l, row: ledger.Comparison{Status: ledger.Complete, Started: rows[1].Started}, document: &lab.ComparisonRecord{
		Schema: lab.ComparisonSchema, Status: ledger.Complete, Runs: []string{rows[0].ID, rows[1].ID},
		Contests: []lab.Contest{{A: 0, B: 1, Verdicts: s.Verdicts}},
	}}
	if len(s.Verdicts) > 0 {
		c.document.Contests[0].Word = s.Verdicts[0].Word
	}
	if err := c.read(c.document.Runs); err != nil {
		return nil, err
	}
	p, err := c.page()
	if err != nil {
		return nil, err
	}
	p.Kind, p.Stopped, p.Gates, p.Answers = KindStored, "", nil, nil
	p.Verdicts = []Statement{{"no measure that both runs show", Bad}}
	if len(s.Verdicts) > 0 {
		p.Verdicts = []Statement{{report.StoredSentence(s.Verdicts[0]), wordTone(s.Verdicts[0].Word)}}
	}
	p.Check = Check{Statement: Statement{report.NotTogether, Warning}}
	if s.Comparison != "" {
		p.Check.Statement = Statement{fmt.Sprintf("measured together, in comparison %s; decided anew from its pairs of slices", s.Comparison), Good}
	}
	for _, d := range s.Differs {
		p.Check.Notes = append(p.Check.Notes, Statement{"differs: " + d, Warning})
	}
	p.Commands = []Command{
		{"hone compare REF:PACKAGE PACKAGE", "measures both together, which decides"},
		{"hone compare " + rows[0].ID + " " + rows[1].ID, "this again, as text"},
	}
	return p, nil
}
