package gobench

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/changes"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// changed says what this benchmark is made of that differs between the sides.
func (b *bench) changed() []string {
	if b.pkg == nil { // of a simulation
		return nil
	}
	return b.pkg.tests.Behind(b.name)
}

// compareAllTests notes the test files that differ, package by package. With --tests both
// sides have the same; what these import is each side's own.
func (m *measurement) compareAllTests(ctx context.Context, packages []*pkg) error {
	var built [2]changes.Deps
	for side, s := range m.sides {
		var paths []string
		given := sources.Overlay{}
		for _, p := range packages {
			paths = append(paths, p.found[side].ImportPath)
			if from := m.testsOn(side); from != side {
				o, err := sources.TestsOf(p.found[from], p.found[side])
				if err != nil {
					return err
				}
				given = given.And(o)
			}
		}
		flags, err := given.Flag(filepath.Join(m.temp, "tests-"+s.Name+".json"), s)
		if err == nil {
			built[side], err = changes.DepsOf(ctx, s, flags, paths)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil { // the build says why
			built[side] = nil
		}
	}
	for _, p := range packages {
		var err error
		if p.tests, err = changes.CompareTests(p.found, [2]sources.Listed{p.found[m.testsOn(0)], p.found[m.testsOn(1)]},
			built); err != nil {
			return err
		}
		if len(p.tests.Files) > 0 {
			m.result.ChangedTests = append(m.result.ChangedTests,
				benchmarks.ChangedTests{Package: p.path, Files: p.tests.Files})
		}
	}
	return nil
}

// markChanged takes the verdicts and the gates from benchmarks that changed themselves: the
// figures stay, and no word says that B's code made the difference.
func (m *measurement) markChanged() {
	for i := range m.result.Benchmarks {
		out := &m.result.Benchmarks[i]
		for _, b := range m.benches {
			if b.pkg.path == out.Package && b.name == out.Name {
				markChange(out, b.changed())
			}
		}
	}
}

// markChange is markChanged for one benchmark.
func markChange(b *benchmarks.Benchmark, changed []string) {
	if len(changed) == 0 {
		return
	}
	b.Changed = changed
	reason := "between A and B changed: " + strings.Join(changed, ", ")
	for i := range b.Verdicts {
		b.Verdicts[i].Word, b.Verdicts[i].Reason, b.Verdicts[i].Need = benchmarks.ItselfChanged, reason, nil
	}
	for i := range b.Gates {
		b.Gates[i].Outcome, b.Gates[i].Reason = gate.Open, string(benchmarks.ItselfChanged)
	}
}
