package gobench

import (
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// functionsOf are the benchmark functions of a package on both sides that --bench and --skip choose, sorted.
func (m *measurement) functionsOf(p *pkg) ([]string, error) {
	functions := map[string]bool{}
	for side := range m.sides {
		tests := p.found[m.testsOn(side)]
		for _, names := range [][]string{tests.TestGoFiles, tests.XTestGoFiles} {
			f, err := sources.BenchmarksIn(tests.Dir, names)
			if err != nil {
				return nil, err
			}
			for _, function := range f.Benchmarks {
				if m.task.chooses(function) {
					functions[function] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(functions)), nil
}

// takeShard leaves the benchmarks of other jobs out, and returns the packages that have some of this one. The jobs deal
// the functions that are to be measured out one by one, and share one level: each has the part of it that its functions
// are of all.
func (m *measurement) takeShard(packages []*pkg) ([]*pkg, error) {
	if m.task.Shard.Of == 0 {
		return packages, nil
	}
	shard, own := benchmarks.Shard{Shard: m.task.Shard}, 0
	var kept []*pkg
	for _, p := range packages {
		functions, err := m.functionsOf(p)
		if err != nil {
			return nil, m.sides[1].Failure("find the benchmarks of %s: %w", p.path, err)
		}
		here := 0
		for _, function := range functions {
			name := strings.TrimPrefix(function, "Benchmark")
			switch pattern := benchtext.Exactly(name); {
			case slices.Contains(p.unchanged, pattern):
				continue
			case shard.Holds(len(shard.Functions)):
				here++
			default:
				p.elsewhere = append(p.elsewhere, pattern)
			}
			shard.Functions = append(shard.Functions, p.path+"."+name)
		}
		if own += here; here > 0 {
			kept = append(kept, p)
		}
	}
	if len(shard.Functions) > 0 {
		m.task.Alpha = m.task.options().Alpha * float64(max(own, 1)) / float64(len(shard.Functions))
	}
	m.result.Shard = &shard
	return kept, nil
}
