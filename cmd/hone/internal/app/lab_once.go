package app

import (
	"errors"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/once"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/page"
)

// ConductOnce opens the ledger, carries out the task, lets show write the outcome, if there is one, and closes the
// ledger again. show takes the error of the measurement and returns that of the command.
func (a *App) ConductOnce(f *MeasureFlags, show func(*record.ExecutionsOutcome, *page.Library, error) error) error {
	guard, dir, err := StartFrom()
	if err != nil {
		return err
	}
	if err := a.precheck(f, dir); err != nil {
		return err
	}
	store, err := a.OpenToMeasure(f.Ledger)
	if err != nil {
		return err
	}
	progress := a.Progress(f.Quiet)
	teller := tell(f.Ledger, page.KindOnce, f.Variants, progress)
	l := &lab.Lab{Ledger: store, Guard: guard, WorkDir: dir, Progress: teller, Hard: a.Hard, Version: Version()}
	out, err := once.Measure(a.Ctx, l, f.Task)
	teller.End()
	progress.Clear()
	if out != nil {
		err = show(out, a.Library(store), err)
	}
	return errors.Join(err, store.Close())
}
