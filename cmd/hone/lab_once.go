package main

import (
	"errors"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/once"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/page"
)

// conductOnce opens the ledger, carries out the task, lets show write the outcome, if there is one, and closes the
// ledger again. show takes the error of the measurement and returns that of the command.
func (a *App) conductOnce(f *measureFlags, show func(*record.ExecutionsOutcome, *page.Library, error) error) error {
	guard, dir, err := startFrom()
	if err != nil {
		return err
	}
	store, err := a.openToMeasure(f.Ledger)
	if err != nil {
		return err
	}
	progress := a.progress(f.Quiet)
	teller := tell(f.Ledger, page.KindOnce, f.Variants, progress)
	l := &lab.Lab{Ledger: store, Guard: guard, WorkDir: dir, Progress: teller, Hard: a.hard, Version: version()}
	out, err := once.Measure(a.ctx, l, f.task)
	teller.End()
	progress.Clear()
	if out != nil {
		err = show(out, a.library(store), err)
	}
	return errors.Join(err, store.Close())
}
