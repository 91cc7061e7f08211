package main

import (
	"cmp"
	"errors"

	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
)

// measure carries out the request.
func (a *app) measure(f *measureFlags) (out *lab.Outcome, err error) {
	failed := a.inLab(f, "", func(l *lab.Lab) error {
		out, err = l.Measure(a.ctx, f.request)
		return err
	})
	return out, failed
}

// inLab completes the request, opens the ledger, lets do measure what the flags ask for, perhaps more than once, and
// closes the ledger again. workDir is the directory that sources refer to; empty is this one.
func (a *app) inLab(f *measureFlags, workDir string, do func(*lab.Lab) error) error {
	if err := f.finish(); err != nil {
		return err
	}
	guard, here, err := startFrom()
	if err != nil {
		return err
	}
	recorder, err := roleArgv(recorderRole)
	if err != nil {
		return err
	}
	dir := cmp.Or(workDir, here)
	if err := a.prepareSources(f, dir); err != nil {
		return err
	}
	store, err := ledger.Open(f.ledger)
	if err != nil {
		return err
	}
	progress := a.live(f.title(), f.quiet)
	l := &lab.Lab{
		Ledger: store, Guard: guard, Recorder: recorder, WorkDir: dir, Progress: progress, Hard: a.hard, Version: version(), Built: f.built,
	}
	if f.listen != "" {
		l.Listen = a.listenerForMetrics(f.listen, progress)
	}
	err = do(l)
	progress.Clear()
	return errors.Join(err, store.Close())
}
