package app

import (
	"cmp"
	"errors"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/service"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/store/live"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/view/page"
)

// Measure carries out the task, and lets show write what was measured, if anything was. show takes the error of the
// measurement and returns that of the command.
func (a *App) Measure(f *MeasureFlags, show func(*record.Outcome, *page.Library, error) error) error {
	var out *record.Outcome
	return a.InLab(f, "", func(l *lab.Lab) (err error) {
		out, err = service.Measure(a.Ctx, l, f.Task)
		if said := f.takeStep(err); said != "" {
			l.Progress.Warn(said)
			out, err = service.Measure(a.Ctx, l, f.Task)
		}
		return err
	}, func(lib *page.Library, err error) error {
		if out == nil {
			return err
		}
		if err != nil && !out.Loaded() { // what went wrong is the whole result, and comes first
			a.Explain(err)
			err = cli.Shown(err)
		}
		return show(out, lib, err)
	})
}

// InLab completes the task, opens the ledger, lets do measure what the flags ask for, perhaps more than once, and show
// write what came of it, and closes the ledger again. workDir is the directory that sources refer to; empty is this
// one. show may be nil.
func (a *App) InLab(f *MeasureFlags, workDir string, do func(*lab.Lab) error,
	show func(*page.Library, error) error) error {
	if err := a.Reading(f.finish); err != nil {
		return err
	}
	guard, here, err := StartFrom()
	if err != nil {
		return err
	}
	recorder, err := RoleArgv(RecorderRole)
	if err != nil {
		return err
	}
	dir := cmp.Or(workDir, here)
	if err := a.prepareSources(f, dir); err != nil {
		return err
	}
	if err := a.precheck(f, dir); err != nil {
		return err
	}
	f.Task.Parts = f.Parts
	store, err := a.OpenToMeasure(f.Ledger)
	if err != nil {
		return err
	}
	shown := a.live(f.title(), f.Quiet)
	teller := tell(f.Ledger, page.KindRun, f.Variants, shown)
	l := &lab.Lab{
		Ledger: store, Guard: guard, Recorder: recorder, WorkDir: dir, Progress: teller, Hard: a.Hard,
		Version: Version(), Built: f.Built,
	}
	err = a.withAgents(f, l, do)
	teller.End()
	shown.Clear()
	if show != nil {
		err = show(a.Library(store), err)
	}
	return errors.Join(err, store.Close())
}

// tell lets those who look see a measurement of programs while it goes on. one is its kind if there is one program.
func tell(dir string, one page.Kind, variants []build.Variant, next progress.Sink) *live.Teller {
	kind := one
	if len(variants) > 1 {
		kind = page.KindComparison
	}
	return live.Tell(dir, string(kind), titleOf(variants), next)
}
