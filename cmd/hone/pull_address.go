package main

import (
	"errors"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/pprofhttp"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
)

// pullAddress takes the profiles of a running service.
func (a *app) pullAddress(f *spec.Spec, address string) error {
	if !(f.Pull.Seconds >= 1 && f.Pull.Seconds <= 3600) {
		return fail.New(fail.BadInput, "--seconds is %v, want 1 to 3600", f.Pull.Seconds)
	}
	service, err := pprofhttp.New(address)
	if err != nil {
		return err
	}
	store, err := a.openToMeasure(f.Ledger)
	if err != nil {
		return err
	}
	progress := a.progress(f.Quiet)
	l := &lab.Lab{Ledger: store, Progress: progress, Hard: a.hard, Version: version()}
	id, warnings, err := l.Capture(a.ctx, lab.Remote{Service: service, CPUTime: time.Duration(f.Pull.Seconds * float64(time.Second))})
	progress.Clear()
	if err := errors.Join(err, store.Close()); err != nil {
		return err
	}
	return a.captured(f.JSON, id, "cpu", warnings)
}
