// Package gotest builds test binaries and runs their benchmarks as go test -bench does: the
// classic way that hone bench is held against.
package gotest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/proc"
)

// anyCPU leaves the choice to the kernel, as go test does.
const anyCPU = -1

// Binary is a test binary, and the directory that it runs in: that of its package.
type Binary struct{ Program, Dir string }

// Build builds the tests of the package in dir to out with flags of go build, without vet: old code does not please the
// vet of today.
func Build(ctx context.Context, dir, out string, flags ...string) (Binary, error) {
	program, err := filepath.Abs(out)
	if err != nil {
		return Binary{}, fmt.Errorf("build the tests of %s: %w", dir, err)
	}
	args := append(append([]string{"test", "-c", "-vet=off", "-o", program}, flags...), ".")
	if _, err := proc.Run(ctx, anyCPU, proc.Command{Program: "go", Args: args, Dir: dir}); err != nil {
		return Binary{}, fmt.Errorf("build the tests of %s: %w", dir, err)
	}
	return Binary{Program: program, Dir: dir}, nil
}

// Side is a benchmark of a binary with its environment.
type Side struct {
	Binary
	Pattern string
	Env     []string
}

// Run runs the benchmark count times in one process, each for a time of about d, and returns the
// times per operation in seconds. The pattern has to match one benchmark.
func (s Side) Run(ctx context.Context, count int, d time.Duration) ([]float64, error) {
	all, err := s.RunAll(ctx, count, d)
	if err != nil {
		return nil, err
	}
	return ofOne(all, count)
}

// ofOne are the results of the only benchmark.
func ofOne(all map[string][]float64, count int) ([]float64, error) {
	names := slices.Sorted(maps.Keys(all))
	if len(names) != 1 {
		return nil, fmt.Errorf("results of %v: want one benchmark", names)
	}
	seconds := all[names[0]]
	if len(seconds) != count {
		return nil, fmt.Errorf("%s has %d results, want %d", names[0], len(seconds), count)
	}
	return seconds, nil
}

// RunAll runs all benchmarks that the pattern matches, and returns the times per operation in seconds by their names.
func (s Side) RunAll(ctx context.Context, count int, d time.Duration) (map[string][]float64, error) {
	args := []string{"-test.run=^$", "-test.bench=" + s.Pattern, fmt.Sprintf("-test.count=%d", count),
		"-test.benchtime=" + d.String()}
	done, err := proc.Run(ctx, anyCPU, proc.Command{Program: s.Program, Args: args, Dir: s.Dir, Env: s.Env})
	if err != nil {
		return nil, err
	}
	return secondsPerOperation(done.Stdout)
}

// secondsPerOperation reads the output of benchmarks (https://go.dev/design/14313-benchmark-format).
func secondsPerOperation(text []byte) (map[string][]float64, error) {
	all := map[string][]float64{}
	r := benchfmt.NewReader(bytes.NewReader(text), "benchmark")
	for r.Scan() {
		result, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		s, ok := result.Value("sec/op")
		if !ok {
			return nil, fmt.Errorf("%s has no time per operation", result.Name)
		}
		all[string(result.Name)] = append(all[string(result.Name)], s)
	}
	if err := r.Err(); err != nil {
		return nil, fmt.Errorf("read the output of a benchmark: %w", err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no results in %.300q", text)
	}
	return all, nil
}

// Classic is what the classic way says of two sides.
type Classic struct {
	// Ratio is B's median time per operation over A's, P the p-value of benchstat's test.
	Ratio, P float64
	// Seconds is how long it took.
	Seconds float64
}

// samples is what people pass to -count.
const samples = 10

// searched is the part of a benchmark's time that is left when testing has found its number of
// iterations, for which it runs the benchmark with fewer.
const searched = 0.75

// OldThenNew measures in the classic way, in as much time as d: all samples of A's process,
// then all of B's, compared by the test that benchstat uses.
func OldThenNew(ctx context.Context, a, b Side, d time.Duration) (Classic, error) {
	began := time.Now()
	each := time.Duration(searched * float64(d) / (2 * samples))
	var took [2][]float64
	for i, s := range []Side{a, b} {
		var err error
		if took[i], err = s.Run(ctx, samples, each); err != nil {
			return Classic{}, err
		}
	}
	c := Classic{Seconds: time.Since(began).Seconds()}
	c.Ratio, c.P = figures.RankTest(took[0], took[1])
	return c, nil
}

// RandomOrder is a flag of go build that draws an order of the program's functions.
func RandomOrder() string { return fmt.Sprintf("-ldflags=-randlayout=%d", 1+rand.Int32N(1<<30)) }

// Orders measures the benchmark of the packages in two directories. In each round both are linked anew, each in a
// random order of its functions, and run in fresh processes, each for d, in an order drawn at random. It returns the
// seconds per operation of both, by round. temp is a directory for the binaries.
func Orders(ctx context.Context, a, b, pattern, temp string, rounds int, d time.Duration) ([][]float64, error) {
	return figures.Sampled(rounds, 2, func(_, i int) (float64, error) {
		binary, err := Build(ctx, []string{a, b}[i], filepath.Join(temp, fmt.Sprintf("order%d.test", i)), RandomOrder())
		if err != nil {
			return 0, err
		}
		seconds, err := Side{Binary: binary, Pattern: pattern}.Run(ctx, 1, d)
		if err != nil {
			return 0, err
		}
		return seconds[0], nil
	})
}

// Truth is B's time per operation over A's by Orders, with its interval over the rounds: that of the code, whatever the
// linker makes of it. It is for long runs.
func Truth(ctx context.Context, a, b, pattern, temp string, rounds int, d time.Duration) (figures.Ratio, error) {
	took, err := Orders(ctx, a, b, pattern, temp, rounds, d)
	if err != nil {
		return figures.Ratio{}, err
	}
	return figures.Paired(took[0], took[1])
}
