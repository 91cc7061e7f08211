package gobench

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strconv"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/plant"
	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/text/fail"
)

// plantedOperations are those of a benchmark by which a function is found that each of them calls.
const plantedOperations = 20

// plant makes B worse by more than a gate allows, in a function that a benchmark calls with each operation: A is the
// working tree, too.
func (m *measurement) plant(ctx context.Context, packages []*pkg) error {
	cost, err := plant.For(m.task.Gates, plant.Known{ByCPU: []string{measure.OperationTime.Key,
		measure.OperationCPU.Key}})
	if err != nil {
		return err
	}
	s := m.sides[1]
	for i, p := range packages {
		m.task.Progress.Phase(fmt.Sprintf("find a function to plant in %d/%d %s", i+1, len(packages), p.path), 0)
		found, ok, err := m.calledByBenchmarks(ctx, s, p, filepath.Join(m.temp, fmt.Sprintf("counted%d", i)))
		if err != nil {
			return fail.New(fail.Or(fail.Subject, err), "find a function to plant in %s: %w", p.path, err)
		}
		if !ok {
			continue
		}
		planted, overlay, err := found.Plant(cost)
		if err != nil {
			return err
		}
		if overlay, err = plant.Write(overlay, filepath.Join(m.temp, "planted")); err != nil {
			return err
		}
		if s.Replaced == nil {
			s.Replaced = map[string]string{}
		}
		maps.Copy(s.Replaced, overlay)
		m.result.Planted = &planted
		m.result.Sides[1].Label += fmt.Sprintf(" with %s", m.result.Planted)
		return nil
	}
	return fail.New(fail.BadInput, "--prove-gate: no benchmark calls a function of its package with each operation").
		WithHint("name a package with --bench whose benchmarks call its own functions")
}

// calledByBenchmarks is the function of a package that its benchmarks call with each operation.
func (m *measurement) calledByBenchmarks(ctx context.Context, s *sources.Side, p *pkg, out string) (found plant.Candidate,
	ok bool, err error) {
	l := p.found[1]
	binary, err := reach.BuildTests(ctx, reach.Side{Dir: s.Dir, Targets: []string{p.path}, Env: s.Env, Flags: s.Flags},
		[]string{l.ImportPath}, out)
	if err != nil {
		return found, false, err
	}
	var runs [2]reach.Counters
	for i, n := range []int{1, plantedOperations} {
		var failed error
		if runs[i], failed, err = binary.Run(ctx, m.flags(execution{pattern: m.task.Pattern, procs: m.procs[0],
			length: strconv.Itoa(n) + "x", more: []string{"-test.run=^$"}})...); err != nil || failed != nil && runs[i] == nil {
			return found, false, cmp.Or(err, failed)
		}
	}
	return plant.Choose(runs[0], runs[1], plantedOperations, map[string]string{l.ImportPath: l.Dir})
}
