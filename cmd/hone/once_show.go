package main

import (
	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/stored"
)

func (a *commands) showOnceComparison(f *app.MeasureFlags, c *stored.Comparison) error {
	if f.Markdown {
		return fail.New(fail.BadInput, "comparison %s is of whole executions, which have no Markdown yet", c.Row.ID).
			WithHint("hone show %s, or hone show %s --json", c.Row.ID, c.Row.ID)
	}
	return a.printOnceComparison(f, &record.ExecutionsOutcome{Comparison: c.Record, Runs: c.Executions()})
}
