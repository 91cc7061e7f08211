package main

import (
	"cmp"
	"errors"

	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/live"
	"github.com/gohone/hone/internal/page"
	"github.com/gohone/hone/internal/progress"
	"github.com/gohone/hone/internal/subject"
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
	store, err := a.openToMeasure(f.Ledger)
	if err != nil {
		return err
	}
	shown := a.live(f.title(), f.Quiet)
	teller := tell(f.Ledger, page.KindRun, f.request.Variants, shown)
	l := &lab.Lab{
		Ledger: store, Guard: guard, Recorder: recorder, WorkDir: dir, Progress: teller, Hard: a.hard, Version: version(), Built: f.built,
	}
	err = a.withAgents(f, l, do)
	teller.End()
	shown.Clear()
	return errors.Join(err, store.Close())
}

// tell lets those who look see a measurement of programs while it goes on. one is its kind if there is one program.
func tell(dir string, one page.Kind, variants []subject.Variant, next progress.Sink) *live.Teller {
	kind := one
	if len(variants) > 1 {
		kind = page.KindComparison
	}
	return live.Tell(dir, string(kind), titleOf(variants), next)
}
