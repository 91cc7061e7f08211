package gobench

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/plant"
	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/fail"
)

// plantedOperations are those of a benchmark by which a function is found that each of them calls.
const plantedOperations = 20

// planted is where something is planted.
type planted struct {
	*pkg
	plant.Candidate
	binary *reach.TestBinary // of the package, with counters, as it was before
}

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
		in, ok, err := m.calledByBenchmarks(ctx, s, p, filepath.Join(m.temp, fmt.Sprintf("counted%d", i)))
		if err != nil {
			return fail.New(fail.Or(fail.Subject, err), "find a function to plant in %s: %w", p.path, err)
		}
		if !ok {
			continue
		}
		said, overlay, err := in.Plant(cost)
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
		m.planted, m.result.Planted = in, &said
		m.result.Sides[1].Label += fmt.Sprintf(" with %s", m.result.Planted)
		return nil
	}
	return fail.New(fail.BadInput, "--prove-gate: no benchmark calls a function of its package with each operation").
		WithHint("name a package with --bench whose benchmarks call its own functions")
}

// calledByBenchmarks is the function of a package that its benchmarks call with each operation.
func (m *measurement) calledByBenchmarks(ctx context.Context, s *sources.Side, p *pkg, out string) (in *planted, ok bool,
	err error) {
	l := p.found[1]
	in = &planted{pkg: p}
	if in.binary, err = reach.BuildTests(ctx, reach.Side{Dir: s.Dir, Targets: []string{p.path}, Env: s.Env, Flags: s.Flags},
		[]string{l.ImportPath}, out); err != nil {
		return nil, false, err
	}
	var runs [2]reach.Counters
	for i, n := range []int{1, plantedOperations} {
		if runs[i], err = m.counted(ctx, in.binary, n, ""); err != nil {
			return nil, false, err
		}
	}
	in.Candidate, ok, err = plant.Choose(runs[0], runs[1], plantedOperations, map[string]string{l.ImportPath: l.Dir})
	return in, ok, err
}

// counted runs benchmarks for n operations, but for those that skip names.
func (m *measurement) counted(ctx context.Context, binary *reach.TestBinary, n int, skip string) (reach.Counters, error) {
	counters, failed, err := binary.Run(ctx, m.flags(execution{pattern: m.task.Pattern, procs: m.procs[0],
		length: strconv.Itoa(n) + "x", more: append(skipFlag(joined(m.task.Skip, skip)), "-test.run=^$")})...)
	if counters != nil {
		failed = nil // what did run has counted
	}
	return counters, cmp.Or(err, failed)
}

// leaveUnplanted notes the benchmarks of the package with what is planted that do not call it: they prove nothing.
func (m *measurement) leaveUnplanted(ctx context.Context, packages []*pkg) ([]*pkg, error) {
	p := m.planted.pkg
	m.task.Progress.Phase("find the benchmarks that call "+m.planted.Name, 0)
	p.hasOthers = false
	for _, function := range p.functions {
		if slices.Contains(p.unchanged, benchtext.Exactly(strings.TrimPrefix(function, "Benchmark"))) {
			continue
		}
		counters, err := m.counted(ctx, m.planted.binary, plantedOperations, p.allBut(function))
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil && !m.planted.CalledIn(counters):
			m.leave(p, function, benchmarks.NotExecuted)
		default:
			p.hasOthers = true
		}
	}
	return withOthers(packages), nil
}
