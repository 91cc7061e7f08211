package main

import (
	"errors"
	"time"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/pull"
	"github.com/gohone/hone/internal/program/pprofhttp"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
)

// pullAddress takes the profiles of a running service.
func (a *commands) pullAddress(f *spec.Spec, address string) error {
	if !(f.Pull.Seconds >= 1 && f.Pull.Seconds <= 3600) {
		return fail.New(fail.BadInput, "--seconds is %v, want 1 to 3600", f.Pull.Seconds)
	}
	service, err := pprofhttp.New(address)
	if err != nil {
		return err
	}
	progress := a.Progress(f.Quiet)
	cpuTime := time.Duration(f.Pull.Seconds * float64(time.Second))
	taken := pull.Take(a.Ctx, progress, pull.Remote{Service: service, CPUTime: cpuTime})
	progress.Clear()
	store, err := a.OpenToKeep(f.Ledger, f.Quiet, a.UserMark())
	if err != nil {
		return err
	}
	l := pull.Store{Ledger: store, Version: app.Version()}
	id, warnings, err := l.Keep(taken)
	if err := errors.Join(err, store.Close()); err != nil {
		return err
	}
	return a.captured(f.JSON, id, "cpu", warnings)
}
