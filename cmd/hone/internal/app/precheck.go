package app

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/conduct/precheck"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/touches"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// precheck checks the patches among the variants before anything is measured, says what they passed, and has the
// comparison keep it.
func (a *App) precheck(f *MeasureFlags, dir string) error {
	if len(f.Patched) == 0 {
		return nil
	}
	allow, err := touches.ParseKinds(f.Allow)
	if err != nil {
		return err
	}
	for _, p := range f.Patched {
		with := f.Variants[p.At]
		without := with
		if p.Under >= 0 {
			without = f.Variants[p.Under]
		}
		t := precheck.Task{Name: p.Name, Variant: with.Name, Dir: dir, Base: p.Base, Commit: p.Commit, Allow: allow,
			Env: [2][]string{build.Env(without), build.Env(with)}, Flags: [2][]string{without.BuildFlags, with.BuildFlags}}
		passed, err := a.Precheck(t, f.Quiet)
		if err != nil {
			return err
		}
		f.Task.Checked = append(f.Task.Checked, *passed)
	}
	return nil
}

// Precheck checks one patch, and says what it passed.
func (a *App) Precheck(t precheck.Task, quiet bool) (*record.Checked, error) {
	progress := a.Progress(quiet)
	t.Progress = progress
	passed, err := precheck.Run(a.Ctx, t)
	progress.Clear()
	if err != nil {
		return nil, err
	}
	a.Say(quiet, saidOf(t.Name, passed))
	return passed, nil
}

func saidOf(name string, p *record.Checked) (lines []string) {
	if len(p.Packages) > 0 {
		lines = append(lines, fmt.Sprintf("%s passes the tests: %s of %s", name, units.Plural(p.Tests, "test"),
			strings.Join(p.Packages, " ")))
	}
	for _, t := range p.Allowed {
		lines = append(lines, fmt.Sprintf("note: %s touches more than code, as you allow: %s: %s", name, t.Kind, t))
	}
	for _, note := range p.Notes {
		lines = append(lines, "note: "+name+": "+note)
	}
	return lines
}
