package gobench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/changes"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/program/objfile"
	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/program/samecode"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// leaveUnchanged notes the benchmarks that are unchanged, and returns the packages that have others. Where the sides
// cannot be compared, all are left.
func (m *measurement) leaveUnchanged(ctx context.Context, packages []*pkg) ([]*pkg, error) {
	// Who compares a directory with itself, or two environments, wants it measured. What is planted differs.
	a, b := m.sides[0], m.sides[1]
	if m.task.All || len(packages) == 0 || a.Dir == b.Dir && m.planted == nil || !a.BuiltLike(b) {
		return packages, nil
	}
	m.task.Progress.Phase("compare the code of both sides", 0)
	m.compared = slices.Clone(packages)
	if err := m.findUnchanged(ctx, packages); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.result.Notes = append(m.result.Notes,
			benchmarks.Note{Text: "all benchmarks are measured, also those with the same code, which cannot be compared: " +
				inBrief(err)})
	}
	return withOthers(packages), nil
}

// inBrief is the first line of an error, and the one that the go command has added to it.
func inBrief(err error) string {
	lines := strings.SplitN(strings.TrimSpace(err.Error()), "\n", 3)
	return strings.Join(lines[:min(len(lines), 2)], ": ")
}

// findUnchanged compares the code of packages, which are built.
func (m *measurement) findUnchanged(ctx context.Context, packages []*pkg) error {
	files, err := changes.Files(ctx, m.sides, m.temp)
	if err != nil {
		return err
	}
	b := m.sides[1]
	tools, err := reach.Side{Dir: b.Dir, Env: b.Env, Flags: b.Flags}.Toolchain(ctx)
	if err != nil {
		return err
	}
	together := len(packages)
	if m.task.Tests != "" { // tests of one package may change what another one embeds
		together = 1
	}
	archives := &samecode.Archives{}
	for group := range slices.Chunk(packages, together) {
		var listings [2]samecode.Listing
		for side := range m.sides {
			if listings[side], err = m.compiled(ctx, group, side); err != nil {
				return err
			}
		}
		for _, p := range group {
			if err := m.comparePackage(p, archives, tools, listings, files); err != nil {
				return err
			}
		}
	}
	return nil
}

// compiled lists the archives of the test binaries of packages, compiled as they were built.
func (m *measurement) compiled(ctx context.Context, packages []*pkg, side int) (samecode.Listing, error) {
	s, all, paths := m.sides[side], sources.Overlay{}, []string{}
	for _, p := range packages {
		all = all.And(p.overlays[side])
		paths = append(paths, p.found[side].ImportPath)
	}
	flag, err := all.Flag(filepath.Join(m.temp, s.Name+".list.overlay.json"), s)
	if err != nil {
		return nil, err
	}
	args := slices.Concat(samecode.ListArgs, []string{"-trimpath"}, s.Flags, flag, []string{"-buildvcs=false", "--"},
		paths)
	out, err := sources.GoCommand(ctx, s, func(why error) error {
		return fmt.Errorf("list what side %s is built from: %w", s.Name, why)
	}, args...)
	if err != nil {
		return nil, err
	}
	return samecode.ReadListing([]byte(out))
}

// comparePackage finds which benchmarks of a package are unchanged.
func (m *measurement) comparePackage(p *pkg, archives *samecode.Archives, tools *objfile.Toolchain,
	listings [2]samecode.Listing, files []string) error {
	functions, err := m.functionsOf(p)
	if err != nil {
		return err
	}
	var binaries [2]samecode.Binary
	for side, l := range listings {
		if binaries[side], err = l.Tests(p.found[side].ImportPath); err != nil {
			return err
		}
	}
	p.functions = functions
	others, input := functions, slices.IndexFunc(p.tests.Files, changes.IsData)
	if input < 0 { // a benchmark may find such a file without its name
		compared, err := archives.Compare(tools, binaries, files)
		if err != nil {
			return err
		}
		others = nil
		for _, function := range functions {
			if same, _ := compared.Same(function); same {
				m.leave(p, function, benchmarks.SameCode)
			} else {
				others = append(others, function)
			}
		}
	}
	p.hasOthers = len(others) > 0
	if m.asksForReach() {
		p.static, p.unknown = staticReach(archives, tools, binaries, files, others)
	}
	if p.static != nil && input >= 0 {
		for i := range p.static.candidates {
			p.static.candidates[i].Suspect("it may read " + p.tests.Files[input])
		}
	}
	return nil
}

// leave notes a benchmark function that is not measured, and why. Its change is 0: a gate on a gain fails.
func (m *measurement) leave(p *pkg, function, reason string) {
	u := benchmarks.Unchanged{Package: p.path, Name: strings.TrimPrefix(function, "Benchmark"), Reason: reason}
	for _, g := range m.task.Gates {
		outcome := gate.Passed
		if !g.Op.Holds(0, g.Limit) {
			outcome = gate.Failed
		}
		u.Gates = append(u.Gates, gate.Result{Gate: g, Variant: "B", Outcome: outcome, Reason: reason})
	}
	p.unchanged, m.result.Unchanged = append(p.unchanged, benchtext.Exactly(u.Name)), append(m.result.Unchanged, u)
}

// skips is what -test.skip leaves out of a package: what the user names, what is unchanged, and what other jobs
// measure.
func (p *pkg) skips(users string) string {
	return joined(append([]string{users}, slices.Concat(p.unchanged, p.elsewhere)...)...)
}

// joined is a pattern for all that some patterns are for, but for empty ones.
func joined(patterns ...string) string {
	return strings.Join(slices.DeleteFunc(patterns, func(p string) bool { return p == "" }), "|")
}

// allBut is a pattern for all benchmarks of a package but one function.
func (p *pkg) allBut(function string) string {
	var others []string
	for _, other := range p.functions {
		if other != function {
			others = append(others, benchtext.Exactly(strings.TrimPrefix(other, "Benchmark")))
		}
	}
	return strings.Join(others, "|")
}
