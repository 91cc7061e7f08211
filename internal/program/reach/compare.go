package reach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/objfile"
	"github.com/gohone/hone/internal/program/samecode"
	"github.com/gohone/hone/internal/text/fail"
)

// Side says how one of two builds is made.
type Side struct {
	Dir string // where go runs
	// Targets are packages, or the files of one, as go takes them in Dir.
	Targets []string
	Env     []string // whole; nil for hone's own
	Flags   []string // of go build
}

// Program finds what differs between a main package of both sides.
func Program(ctx context.Context, both [2]Side) (*Change, error) {
	c, err := newComparer(ctx, both, samecode.ListProgramArgs)
	if err != nil {
		return nil, err
	}
	named := [2][]string{c.listings[0].Named(), c.listings[1].Named()}
	if len(named[0]) != 1 || len(named[1]) != 1 {
		return nil, fail.New(fail.BadInput, "%s: want one package", strings.Join(both[1].Targets, " "))
	}
	change, binaries, err := c.change([2]string{named[0][0], named[1][0]}, samecode.Listing.Program)
	if err != nil {
		return nil, err
	}
	return change, c.findSeen(change, binaries)
}

// Package is a package that both sides have, and what differs in its test binary, or in itself where a side has no
// tests.
type Package struct {
	Path      string
	IsProgram bool
	Tests     [2]bool // sides that have some
	Changed   *Change
}

// Packages finds what differs in the packages that both sides have, by their import paths.
func Packages(ctx context.Context, both [2]Side) (found []Package, onlyB []string, err error) {
	c, err := newComparer(ctx, both, samecode.ListArgs)
	if err != nil {
		return nil, nil, err
	}
	a, b := c.listings[0], c.listings[1]
	for _, path := range b.Named() {
		if !slices.Contains(a.Named(), path) {
			onlyB = append(onlyB, path)
			continue
		}
		p, of := Package{Path: path, IsProgram: b[path].Name == samecode.MainPath}, samecode.Listing.Program
		if p.Tests = [2]bool{a.HasTests(path), b.HasTests(path)}; p.Tests == [2]bool{true, true} {
			of = samecode.Listing.Tests
		}
		if p.Changed, _, err = c.change([2]string{path, path}, of); err != nil {
			return nil, nil, fmt.Errorf("compare the code of %s: %w", path, err)
		}
		found = append(found, p)
	}
	return found, onlyB, nil
}

// Tested says that a side has tests.
func (p Package) Tested() bool { return p.Tests[0] || p.Tests[1] }

// comparer has the packages of both sides, compiled.
type comparer struct {
	tools    *objfile.Toolchain
	archives samecode.Archives
	listings [2]samecode.Listing
}

func newComparer(ctx context.Context, both [2]Side, args []string) (c *comparer, err error) {
	c = &comparer{}
	if c.tools, err = both[1].Toolchain(ctx); err != nil {
		return nil, err
	}
	for i, s := range both {
		if c.listings[i], err = s.list(ctx, args); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, fail.New(fail.Subject, "compile side %s: %w", sides[i], err)
		}
	}
	return c, nil
}

func (c *comparer) change(paths [2]string, find func(samecode.Listing, string) (samecode.Binary, error)) (*Change,
	[2]samecode.Binary, error) {
	var binaries [2]samecode.Binary
	for i, listing := range c.listings {
		var err error
		if binaries[i], err = find(listing, paths[i]); err != nil {
			return nil, binaries, fail.New(fail.BadInput, "side %s: %w", sides[i], err)
		}
	}
	d, err := c.archives.Differences(c.tools, binaries)
	if err != nil {
		return nil, binaries, err
	}
	return Changed(d, binaries), binaries, nil
}

// findSeen finds whether a program may see what differs before main, other than by functions that differ.
func (c *comparer) findSeen(change *Change, binaries [2]samecode.Binary) error {
	if len(change.StartsIn()) == 0 {
		return nil
	}
	var tasks [2][]string
	for side, b := range binaries {
		r, err := c.archives.Reachable(c.tools, b, nil, change.start, side)
		if err != nil {
			return err
		}
		tasks[side], change.seen = r.Tasks(), cmp.Or(change.seen, r.Seen())
	}
	change.seen = cmp.Or(change.seen, firstOther(tasks[0], tasks[1]))
	return nil
}

// list has the packages compiled, and lists them.
func (s Side) list(ctx context.Context, args []string) (samecode.Listing, error) {
	args = slices.Concat(args, s.Flags, []string{"-buildvcs=false", "--"}, s.Targets)
	answer, _, err := gocommand.Ask(ctx, s.Env, s.Dir, args...)
	if err != nil {
		return nil, err
	}
	return samecode.ReadListing(answer)
}

// Toolchain has the numbers of the toolchain.
func (s Side) Toolchain(ctx context.Context) (*objfile.Toolchain, error) {
	answer, _, err := gocommand.Ask(ctx, s.Env, s.Dir, "env", "GOROOT", "GOFLAGS")
	if err != nil {
		return nil, err
	}
	root, goflags, _ := strings.Cut(string(answer), "\n")
	if all := goflags + strings.Join(s.Flags, " "); strings.Contains(all, "-linkshared") ||
		strings.Contains(all, "-buildmode") {
		return nil, errors.New("-linkshared or -buildmode is among the build flags")
	}
	return objfile.ReadToolchain(strings.TrimSpace(root))
}
