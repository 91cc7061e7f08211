package gobench

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/turns"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// bench is one benchmark, or sub-benchmark, that both sides have.
type bench struct {
	pkg    *pkg
	name   string              // as go test prints it, without Benchmark in front
	procs  int                 // GOMAXPROCS
	config []benchfmt.Config   // goos, goarch, pkg, cpu
	once   [2]*benchfmt.Result // with one operation

	sampling          // by the pilot
	compare.Contender // its blocks, the measures that it reports, and how far it is
	drawnLayouts      // of the blocks

	singles  []judge.Block   // pairs of single processes beside the turns
	accounts [][2]account    // of the blocks
	caveats  []record.Caveat // on a faster B
	takenProfiles
}

// sampling is how the samples of a benchmark are taken.
type sampling struct {
	how    benchmarks.Sampling
	why    string        // not ByTurns; "" if it is
	n      int           // operations of a turn, or of a process, the same on both sides
	cpu    bool          // CPU time is exact enough
	start  time.Duration // of both processes; with ByTurns
	base   time.Duration // CPU time of a turn beside its operations; with ByTurns
	timed  time.Duration // of a process; with ByProcesses
	single int           // operations of a single process beside the turns
}

// plainName is the name without -GOMAXPROCS.
func (b *bench) plainName() string { return benchtext.PlainName(b.name, b.procs) }

// function is the benchmark function that the benchmark is, or is a part of.
func (b *bench) function() string {
	function, _, _ := strings.Cut("Benchmark"+b.plainName(), "/")
	return function
}

// pilot finds the benchmarks of a package by running all of them once on both sides, and
// how many operations of each take as long as one process should. What fails is noted.
func (m *measurement) pilot(ctx context.Context, p *pkg) error {
	for _, procs := range m.procs {
		m.task.Progress.Phase(fmt.Sprintf("find the benchmarks of %s", p.path), 0)
		var found [2]benchtext.Listing
		for side := range m.sides {
			var err error
			if found[side], err = m.find(ctx, p, side, procs); err != nil {
				return err
			}
		}
		for _, once := range m.match(p, procs, found) {
			loops, err := m.loops(ctx, p, procs, once)
			if err == nil && loops {
				err = m.calibrate(ctx, p, procs, once)
			}
			if err != nil && !m.lose(p.path, string(once[1].Name), err) {
				return err
			}
		}
	}
	return nil
}

// calibrate adds a benchmark, given its results with one operation.
func (m *measurement) calibrate(ctx context.Context, p *pkg, procs int, once [2]*benchfmt.Result) (err error) {
	b := &bench{pkg: p, name: string(once[1].Name), procs: procs, once: once, config: configOf(once[1], p)}
	m.task.Progress.Phase(fmt.Sprintf("try %s %s", p.path, b.name), 0)
	if b.why = m.whyProcesses(b); b.why == "" {
		b.why, err = m.calibrateTurns(ctx, b)
	}
	if err == nil && b.why != "" {
		err = m.calibrateProcesses(ctx, b)
	}
	if err == nil {
		m.benches = append(m.benches, b)
	}
	return err
}

// calibrateProcesses finds how many operations a process does.
func (m *measurement) calibrateProcesses(ctx context.Context, b *bench) error {
	b.how, b.n = benchmarks.ByProcesses, m.task.Iterations
	var starts [2]time.Duration
	for side := range b.once {
		start, err := m.emptyRun(ctx, emptyKey{b.pkg, side, b.procs})
		if err != nil {
			return err
		}
		starts[side] = start
	}
	b.timed = cmp.Or(m.task.BenchTime, max(b.timed, turns.ShortProcess, startShare*max(starts[0], starts[1])))
	var length [2]float64 // of one operation, ns; 0 if the benchmark hides it
	iterations := math.Inf(1)
	for side, r := range b.once {
		howLong := b.timed.String()
		switch {
		case b.n > 0:
			howLong = strconv.Itoa(b.n) + "x"
		case benchtext.Nanos(r) >= float64(b.timed):
			howLong = "1x"
		}
		r, _, err := m.measure(ctx, b, binaryOf{side: side}, howLong)
		if err != nil {
			return err
		}
		length[side], iterations = benchtext.Nanos(r), min(iterations, float64(r.Iters))
	}
	if b.n == 0 {
		b.n = operations(length, iterations, float64(b.timed))
	}
	b.cpu = true
	for side := range b.once {
		b.cpu = b.cpu && float64(b.n)*length[side] > startShare*0.9*float64(starts[side]) // readable rounds n down
	}
	return nil
}

// startShare is how much longer than the CPU time of its start a benchmark has to run, so
// that the start, which varies by a tenth or two, does not blur its CPU time.
const startShare = 5

// slowest is how much longer than asked for the slower side may run.
const slowest = 5

// operations is how many a process does, given the length of one on both sides in ns:
// as many as fill the time on the faster side, unless the slower one takes far longer.
func operations(length [2]float64, iterations, benchTime float64) int {
	fast, slow := min(length[0], length[1]), max(length[0], length[1])
	if fast <= 0 {
		return benchtext.Readable(iterations)
	}
	return benchtext.Readable(min(benchTime/fast, slowest*benchTime/slow))
}

// configOf are the lines above the results, the same for both sides so that benchstat
// compares them.
func configOf(r *benchfmt.Result, p *pkg) []benchfmt.Config {
	var config []benchfmt.Config
	for _, key := range []string{"goos", "goarch", "pkg", "cpu"} {
		value := r.GetConfig(key)
		if key == "pkg" {
			value = p.path
		}
		if value != "" {
			config = append(config, benchfmt.Config{Key: key, Value: []byte(value), File: true})
		}
	}
	return config
}

// noBenchmark is a pattern that chooses none.
const noBenchmark = "^$"

// emptyRuns is how often a start by itself is measured; the median counts.
const emptyRuns = 3

// emptyRun is the CPU time of the binary when no benchmark is chosen: the start of the
// program, its initialisation and TestMain.
func (m *measurement) emptyRun(ctx context.Context, key emptyKey) (time.Duration, error) {
	if d, known := m.empty[key]; known {
		return d, nil
	}
	var runs []time.Duration
	for range emptyRuns {
		e, err := m.run(ctx, key.pkg,
			execution{binaryOf: binaryOf{side: key.side}, pattern: noBenchmark, procs: key.procs, length: "1x"})
		if err != nil {
			return 0, err
		}
		runs = append(runs, e.CPU)
	}
	slices.Sort(runs)
	m.empty[key] = runs[len(runs)/2]
	return m.empty[key], nil
}

type emptyKey struct {
	pkg         *pkg
	side, procs int
}
