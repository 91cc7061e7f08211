package gobench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/conduct/gobench/turns"
	"github.com/gohone/hone/internal/text/fail"
)

// build builds the test binaries of all packages and returns the packages
// that are to be measured. Those that do not build are noted.
func (m *measurement) build(ctx context.Context, all []*pkg) ([]*pkg, error) {
	var kept []*pkg
	for i, p := range all {
		m.task.Progress.Phase(fmt.Sprintf("build %d/%d %s", i+1, len(all), p.path), 0)
		built := true
		for side, s := range m.sides {
			// paths equally long: they move a program's stack
			out := filepath.Join(m.temp, fmt.Sprintf("%s%d.test", s.Name, i))
			if err := m.buildSide(ctx, p, side, out); err != nil {
				if !m.lose(p.path, "", err) {
					return nil, err
				}
				built = false
			}
			p.binaries[side] = process.Program{Path: out, Dir: p.found[m.testsOn(side)].Dir, Env: s.Env}
		}
		if built {
			kept = append(kept, p)
		}
	}
	return kept, nil
}

// buildSide builds the test binary of a package on one side, with the tests of the side that
// was asked for, and with the file that lets it stay alive if that is possible.
func (m *measurement) buildSide(ctx context.Context, p *pkg, side int, out string) error {
	s, l, from := m.sides[side], p.found[side], m.testsOn(side)
	what, tests := "the tests of "+l.ImportPath, sources.Overlay{}
	if from != side {
		what = fmt.Sprintf("%s's tests of %s with the code of %s", m.sides[from].Name, l.ImportPath, s.Name)
		var err error
		if tests, err = sources.TestsOf(p.found[from], l); err != nil {
			return fail.New(fail.Environment, "find the tests of %s: %w", p.path, err)
		}
	}
	added, t, err := turns.Add(ctx, s, p.found[from], l.Dir, m.temp)
	if err != nil {
		return fail.New(fail.Or(fail.Environment, err), "add a test file to %s on side %s: %w", p.path, s.Name, err)
	}
	if p.turns[side] = t; len(added.Replace) > 0 {
		if m.buildOne(ctx, p, side, what, out, tests.And(added)) == nil {
			return nil
		}
		p.turns[side] = turns.Added{Why: "the tests do not build with the file that hone adds"}
	}
	return m.buildOne(ctx, p, side, what, out, tests)
}

// buildOne builds the test binary of a package on a side, and keeps how.
func (m *measurement) buildOne(ctx context.Context, p *pkg, side int, what, out string, o sources.Overlay) error {
	for {
		flag, err := o.Flag(out+".overlay.json", m.sides[side])
		if err != nil {
			return err
		}
		p.overlays[side] = o
		p.recipes[side] = recipe{p.found[side].ImportPath, what, flag}
		failed := m.follow(ctx, side, p.recipes[side], m.sides[side].Flags, out)
		if failed == nil || ctx.Err() != nil {
			return failed
		}
		if more, err := m.embed(ctx, p, side, failed); !more {
			return err
		}
	}
}

// recipe is how the test binary of a package is built on a side, beside the flags of the user.
type recipe struct {
	path    string   // of the package
	what    string   // is built, in words
	overlay []string // flags
}

// follow builds one test binary. -trimpath makes the binary independent of the
// directory, and so of the checkout; the user's flags come later and win.
func (m *measurement) follow(ctx context.Context, side int, r recipe, flags []string, out string) error {
	s, path, what := m.sides[side], r.path, r.what
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-trimpath", "-o", out}, flags, r.overlay)
	args = append(args, "-buildvcs=false", path) // without a stamp go runs no git
	explain := func(why error) error {
		where := s.Dir
		if s.Label != sources.WorkingTree {
			where = "a checkout of " + s.Label
		}
		if side == 0 && m.outside != "" {
			return m.sides[side].Failure("build %s: %w", what, why).WithHint("the checkout lacks what is outside of it: %s",
				m.outside)
		}
		return m.sides[side].Failure("build %s: %w", what, why).
			WithHint("run it alone in %s: go test -c -o %s %s", where, os.DevNull,
				strings.Join(append(slices.Clone(s.Flags), path), " "))
	}
	if _, err := sources.GoCommand(ctx, s, explain, args...); err != nil {
		return err
	}
	// go test -c succeeds without a file where no test is left by build constraints.
	if _, err := os.Stat(out); err != nil {
		return explain(err)
	}
	return nil
}

// testsOn is the side whose tests a side is built with, and in whose directory they run.
func (m *measurement) testsOn(side int) int {
	switch m.task.Tests {
	case "A":
		return 0
	case "B":
		return 1
	}
	return side
}
