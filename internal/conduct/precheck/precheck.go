// Package precheck is what is checked of a patch before it is measured: what it touches besides code, and whether the
// tests that passed without it still pass. A patch that fails one of both costs no time of a measurement.
package precheck

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gotest"
	"github.com/gohone/hone/internal/program/touches"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/units"
)

// Task is a patch, as the commits without and with it.
type Task struct {
	// Name is what the user calls the patch, and Variant the letter of the side that has it.
	Name, Variant string
	// Dir is in the repository.
	Dir, Base, Commit string
	// Env is the environment of each side's tests, the base first; nil for hone's own.
	Env [2][]string
	// Flags are those of the build, of each side.
	Flags [2][]string
	// Allow are the kinds that the patch may touch besides code.
	Allow []touches.Kind
	// Progress hears what is going on; required.
	Progress progress.Sink
}

// Run checks a patch.
//
// Errors are fail.BadInput for what it touches and may not; fail.Subject for a test that passes without it and fails
// with it; and ctx's.
func Run(ctx context.Context, t Task) (*record.Checked, error) {
	change, err := touches.Between(ctx, t.Dir, t.Base, t.Commit)
	if err != nil {
		return nil, err
	}
	if err := refuse(t, change.Refused(t.Allow)); err != nil {
		return nil, err
	}
	p := &record.Checked{Variant: t.Variant, Base: t.Base, Files: len(change.Files), Allowed: change.Touches}
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	defer temp.Remove() // what is left a later hone removes
	s := &sides{task: t, temp: temp.Path}
	modules, err := s.modules(ctx, change.Files)
	if err != nil {
		return nil, err
	}
	for _, m := range modules {
		if err := s.test(ctx, m, p); err != nil {
			return nil, err
		}
	}
	if len(p.Packages) == 0 {
		p.Notes = append(p.Notes, "no package that changed has tests")
	}
	return p, nil
}

// mostNamed is how many places an error names.
const mostNamed = 6

func refuse(t Task, refused []touches.Touch) error {
	if len(refused) == 0 {
		return nil
	}
	var kinds, places []string
	for _, one := range refused {
		if !slices.Contains(kinds, string(one.Kind)) {
			kinds = append(kinds, string(one.Kind))
		}
		if len(places) < mostNamed {
			places = append(places, fmt.Sprintf("  %s: %s", one.Kind, one))
		}
	}
	if more := len(refused) - len(places); more > 0 {
		places = append(places, fmt.Sprintf("  and %d more", more))
	}
	allow := kinds
	for _, one := range t.Allow {
		allow = append(allow, string(one))
	}
	return fail.New(fail.BadInput, "%s touches more than code, and nothing was measured:\n%s", t.Name,
		strings.Join(places, "\n")).WithHint("if that belongs to the change, allow it: --allow %s; docs/compare.md lists the "+
		"kinds", strings.Join(allow, ","))
}

// sides are the checkouts in which the tests run. They are not those that are measured: a test may write into its own.
type sides struct {
	task Task
	temp string
	made [2]string
}

// of is the root of a side's checkout: 0 without the patch, 1 with it.
func (s *sides) of(ctx context.Context, side int) (string, error) {
	if s.made[side] != "" {
		return s.made[side], nil
	}
	root := filepath.Join(s.temp, [2]string{"base", "patched"}[side], "source")
	commit := [2]string{s.task.Base, s.task.Commit}[side]
	if err := git.Checkout(ctx, s.task.Dir, commit, root); err != nil {
		return "", err
	}
	s.made[side] = root
	return root, nil
}

// run tests packages of a module on a side.
func (s *sides) run(ctx context.Context, side int, m *module, packages []string) (*gotest.Result, error) {
	root, err := s.of(ctx, side)
	if err != nil {
		return nil, err
	}
	with := [2]string{"without the patch", "with the patch"}[side]
	s.task.Progress.Phase(fmt.Sprintf("test %s %s", units.Plural(len(packages), "package"), with), 0)
	return gotest.Run(ctx, gotest.Task{Dir: filepath.Join(root, filepath.FromSlash(m.dir)), Env: s.task.Env[side],
		Flags: s.task.Flags[side], Packages: packages})
}

// test holds the tests of a module with the patch against those without it.
func (s *sides) test(ctx context.Context, m *module, p *record.Checked) error {
	packages, err := s.tested(ctx, m)
	if err != nil || len(packages) == 0 {
		return err
	}
	found, err := gotest.Compare(ctx, func() (*gotest.Result, error) { return s.run(ctx, 1, m, packages) },
		func() (*gotest.Result, error) {
			both, err := s.there(ctx, m, packages)
			if err != nil || len(both) == 0 {
				return nil, err
			}
			return s.run(ctx, 0, m, both)
		})
	if err != nil {
		return err
	}
	for _, name := range packages {
		p.Packages = append(p.Packages, filepath.ToSlash(filepath.Join(m.dir, name)))
	}
	p.Tests += found.Passed
	if n := len(found.Broken); n > 0 {
		return s.breaks(found.Broken[0], n)
	}
	for _, f := range found.Both {
		p.Notes = append(p.Notes, fmt.Sprintf("a test fails on both sides, and shows nothing of the patch: %s", f))
	}
	for _, f := range found.Shaky {
		p.Notes = append(p.Notes, fmt.Sprintf("a test failed with the patch, and passed when it was executed again: %s", f))
	}
	return nil
}

func (s *sides) breaks(f gotest.Failure, all int) error {
	more := ""
	if all > 1 {
		more = fmt.Sprintf(", and %d more", all-1)
	}
	what, without := "a test", "it passes"
	if f.Test == "" { // the package does not build, or ends before its tests do
		what, without = "the tests of a package", "they pass"
	}
	return fail.New(fail.Subject, "%s breaks %s, and nothing was measured: %s%s", s.task.Name, what, f, more).
		WithHint("%s at %.12s; with the patch applied: %s", without, s.task.Base, f.Command())
}
