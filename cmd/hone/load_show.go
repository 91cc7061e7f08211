package main

import (
	"github.com/gohone/hone/internal/fail"
	hist "github.com/gohone/hone/internal/history"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/loadtest"
	"github.com/gohone/hone/internal/report"
)

// showLoad writes a load test of the ledger as it was printed when it ended.
func (a *app) showLoad(f *measureFlags, l *ledger.Ledger, row ledger.Run) error {
	var d loadtest.Stored
	if err := lab.Decode(row.Doc, &d, loadtest.StoredSchema); err != nil {
		return err
	}
	d.ID, d.Status, d.Reason = row.ID, row.Status, row.Reason // of a test that crashed only the row knows
	if !a.isOwn(l, row.ID) {
		d.Command = nil // no command is made of what a stranger's run says
	}
	if f.JSON {
		return a.printJSON(d)
	}
	d.Command = f.here(d.Command)
	slices, err := l.Slices(row.ID)
	if err != nil {
		return err
	}
	latency, err := hist.Latency(slices)
	if err != nil {
		return fail.New(fail.Storage, "show run %s: %w", row.ID, err).WithHint("hone ledger verify")
	}
	return report.StoredLoad(a.stdout, &d, latency)
}
