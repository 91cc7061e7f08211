package main

import (
	"github.com/gohone/hone/cmd/hone/internal/app"
	hist "github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
)

// showLoad writes a load test of the ledger as it was printed when it ended.
func (a *commands) showLoad(f *app.MeasureFlags, lib *page.Library, r *stored.Run) error {
	if f.JSON {
		return a.PrintJSON(r.Load)
	}
	slices, err := lib.Stored.Ledger.Slices(r.Row.ID)
	if err != nil {
		return err
	}
	latency, err := hist.Latency(slices)
	if err != nil {
		return fail.New(fail.Storage, "show run %s: %w", r.Row.ID, err).WithHint("hone ledger verify")
	}
	return report.Load(a.Stdout, r.Load, latency, model.Full)
}
