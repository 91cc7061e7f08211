package main

import (
	"io"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/report"
)

// showOnce shows the executions of a program.
func (a *app) showOnce(f *measureFlags, row ledger.Run) error {
	var r lab.OnceRecord
	if err := lab.Decode(row.Doc, &r, lab.OnceSchema); err != nil {
		return err
	}
	return a.print(f.JSON, r, func(w io.Writer) error {
		r.Command = f.here(r.Command)
		return report.Once(w, r, a.findings(f.Ledger, r.ID)[0])
	})
}

func (a *app) showOnceComparison(f *measureFlags, l *ledger.Ledger, row ledger.Comparison) error {
	if f.Markdown {
		return fail.New(fail.BadInput, "comparison %s is of whole executions, which have no Markdown yet", row.ID).
			WithHint("hone show %s, or hone show %s --json", row.ID, row.ID)
	}
	out := &lab.OnceOutcome{Comparison: &lab.ComparisonRecord{}}
	if err := lab.Decode(row.Doc, out.Comparison, lab.OnceComparisonSchema); err != nil {
		return err
	}
	for _, id := range row.Runs {
		run, err := l.Run(id)
		if err != nil {
			return err
		}
		r := lab.OnceRecord{Head: lab.HeadOf(run, lab.OnceSchema)}
		if len(run.Doc) > 0 {
			if err := lab.Decode(run.Doc, &r, lab.OnceSchema); err != nil {
				return err
			}
		}
		if !f.JSON {
			r.Command = f.here(r.Command)
		}
		out.Runs = append(out.Runs, r)
	}
	return a.printOnceComparison(f, out)
}
