package testreach

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// Task is what is asked for.
type Task struct {
	spec.Program
	spec.Bench
	// WorkDir is where side B is; empty is the current directory.
	WorkDir string
	// Progress hears what is done.
	Progress interface {
		Phase(name string, d time.Duration)
		Warn(text string)
	}
}

// measurement is a task under way.
type measurement struct {
	task  Task
	temp  string
	sides [2]*sources.Side
	found *benchmarks.Reach
}

// Packages finds what the tests and benchmarks of packages execute of what differs between both sides.
func Packages(ctx context.Context, task Task) (*benchmarks.Reach, error) {
	if said := lifetime.EndOrphans(); said != "" {
		task.Progress.Warn(said)
	}
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	defer temp.Remove() // what is left a later hone removes
	m := &measurement{task: task, temp: temp.Path, found: &benchmarks.Reach{Schema: benchmarks.ReachSchema}}
	if m.sides, err = sources.Find(ctx, sources.Origin{WorkDir: task.WorkDir, Vs: task.Vs, Temp: temp.Path,
		Options: task.Options}); err != nil {
		return nil, err
	}
	m.found.Sides = [2]benchmarks.Side{m.sides[0].Side, m.sides[1].Side}
	return m.found, m.all(ctx)
}

func (m *measurement) all(ctx context.Context) error {
	m.task.Progress.Phase("compare the code of both sides", 0)
	patterns := m.task.Packages
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	old := m.inOld(patterns)
	if len(old) == 0 {
		return m.allNew(ctx, patterns)
	}
	packages, onlyB, err := reach.Packages(ctx, [2]reach.Side{m.of(0, old), m.of(1, patterns)})
	if err != nil {
		return err
	}
	if len(packages) == 1 && len(onlyB) == 0 && packages[0].IsProgram && !packages[0].Tested() {
		return fail.New(fail.BadInput, "%s is a program without tests: nothing but a load executes it", packages[0].Path).
			WithHint("%s loads both versions, and says which changed functions the load executes",
				m.comparison(patterns[0]))
	}
	var executions []reach.Execution
	for i := range packages {
		p := &packages[i]
		m.found.Packages = append(m.found.Packages, p.Path)
		all := len(p.Changed.Table.Functions)
		if p.Changed = p.Changed.WithoutTests(); all > 0 && len(p.Changed.Table.Functions) == 0 {
			m.note(p.Path, "only functions of its test files differ")
		}
		if len(p.Changed.Table.Functions) == 0 {
			continue
		}
		if p.IsProgram && !p.Tested() {
			m.note(p.Path, "a program without tests: hone compare says which changed functions a load executes")
		}
		more, err := m.executions(ctx, *p)
		if err != nil {
			return err
		}
		executions = append(executions, more...)
	}
	m.found.Table = reach.Together(packages).Executed(executions)
	for _, path := range onlyB {
		m.found.Table.Hidden = append(m.found.Table.Hidden, onlyInB(path))
	}
	return nil
}

// of is a side, for some packages.
func (m *measurement) of(side int, packages []string) reach.Side {
	s := m.sides[side]
	return reach.Side{Dir: s.Dir, Targets: packages, Env: s.Env, Flags: s.Flags}
}

func (m *measurement) note(path, text string) {
	m.found.Notes = append(m.found.Notes, benchmarks.Note{Package: path, Text: text})
}

// executions runs the tests of a package, and each of its benchmarks, on the sides that have some.
func (m *measurement) executions(ctx context.Context, p reach.Package) ([]reach.Execution, error) {
	start := p.Changed.Run(reach.Start, "")
	executions := []reach.Execution{p.Changed.Run(reach.Test, "")}
	args := map[string][]string{"": reach.AllTests}
	for side, s := range m.sides {
		if !p.Tests[side] {
			continue
		}
		m.task.Progress.Phase(fmt.Sprintf("build the tests of %s (%s) with counters", p.Path, s.Name), 0)
		names, err := m.benchmarksOf(ctx, s, p.Path)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			short := strings.TrimPrefix(name, "Benchmark")
			if args[short] == nil {
				args[short] = reach.OneBenchmark(name)
				executions = append(executions, p.Changed.Run(reach.Benchmark, short))
			}
		}
		out := filepath.Join(m.temp, s.Name+".counted.test")
		binary, err := reach.BuildTests(ctx, m.of(side, []string{p.Path}), p.Changed.Counted(side), out)
		if err != nil {
			return nil, s.Failure("build the tests of %s with counters: %w", p.Path, err)
		}
		if err = m.run(ctx, binary, p.Path, reach.NoTests, side, &start); err != nil {
			return nil, err
		}
		for i := range executions {
			e := &executions[i]
			if e.Kind == reach.Benchmark && !slices.Contains(names, "Benchmark"+e.Name) {
				continue
			}
			m.task.Progress.Phase(strings.TrimSpace(fmt.Sprintf("run the %ss of %s (%s) %s", e.Kind, p.Path, s.Name, e.Name)), 0)
			if err = m.run(ctx, binary, p.Path, args[e.Name], side, e); err != nil {
				return nil, err
			}
		}
	}
	for i := range executions {
		executions[i] = executions[i].After(start)
	}
	return append([]reach.Execution{start}, executions...), nil
}

// benchmarksOf are the functions of benchmarks of a package.
func (m *measurement) benchmarksOf(ctx context.Context, s *sources.Side, path string) ([]string, error) {
	listed, err := sources.List(ctx, s, []string{path})
	if err != nil || len(listed) == 0 {
		return nil, err
	}
	f, err := sources.BenchmarksIn(listed[0].Dir, slices.Concat(listed[0].TestGoFiles, listed[0].XTestGoFiles))
	return f.Benchmarks, err
}

// run executes a part of a test binary of a side. A part that fails still has the counts from before it failed.
func (m *measurement) run(ctx context.Context, b *reach.TestBinary, path string, args []string, side int,
	e *reach.Execution) error {
	counters, failed, err := b.Run(ctx, append([]string{"-test.timeout=" + m.task.Timeout.String()}, args...)...)
	if e.Counters[side] = counters; failed != nil {
		first, _, _ := strings.Cut(failed.Error(), "\n")
		e.Failed = true
		m.note(path, strings.Join(args, " ")+" failed, and may execute more than it did: "+first)
	}
	return err
}
