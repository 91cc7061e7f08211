package gobench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/units"
)

const (
	// usualCoverage is how long benchmarks run with counters, in all; what takes twice as long is said.
	usualCoverage = 3 * time.Second
	// mostCoverage is the time after which no further one is run: those that are left are measured.
	mostCoverage = 10 * time.Second
	// leastCovered and mostCovered are how long a benchmark, or sub-benchmark, runs with counters.
	leastCovered, mostCovered = 50 * time.Millisecond, time.Second
	// mostDoubtful is how many benchmarks of one doubt are named.
	mostDoubtful = 4
)

// coverage runs benchmarks with coverage counters in the packages that differ, each in a process of its own.
type coverage struct {
	*measurement
	ran        time.Duration // all runs, without builds
	binaries   int
	packages   []reach.Package
	executions []reach.Execution
}

// covered is a benchmark function that is run with counters.
type covered struct {
	*reach.Candidate
	subs     int               // benchmarks and sub-benchmarks in it
	raw      []reach.Execution // with what runs before it
	executes bool
	lost     bool // a run has shown nothing
}

// lose notes that a run has shown nothing.
func (b *covered) lose(why string) {
	b.lost = true
	b.Lose(why)
}

// count finds which benchmarks of a package execute something that differs.
func (c *coverage) count(ctx context.Context, p *pkg) error {
	s := p.static
	if err := c.checkStart(ctx, p); err != nil {
		return err
	}
	var own []*covered
	for i := range s.candidates {
		b := &s.candidates[i]
		if name := strings.TrimPrefix(b.Function, "Benchmark"); !slices.Contains(p.elsewhere, benchtext.Exactly(name)) {
			own = append(own, &covered{Candidate: b})
		}
	}
	run := slices.DeleteFunc(slices.Clone(own), func(b *covered) bool { return !b.NeedsCounters(s.changed) })
	if len(run) > 0 {
		if err := c.build(ctx, p); err != nil {
			return err
		}
		if err := c.runAll(ctx, p, run); err != nil {
			return err
		}
	}
	p.hasOthers = false
	var doubts reasons
	for _, b := range own {
		s.executes[b.Function] = b.executes
		if b.Doubt == "" && !b.executes {
			c.leave(p, b.Function, benchmarks.NotExecuted)
			continue
		}
		if p.hasOthers = true; !b.executes {
			doubts.add(b.Doubt, strings.TrimPrefix(b.Function, "Benchmark"))
		}
	}
	for why, names := range doubts.each {
		c.result.Notes = append(c.result.Notes, benchmarks.Note{Package: p.path, Text: fmt.Sprintf(
			"may execute what changed, and is measured: %s: %s", units.FirstOf(names, mostDoubtful), why)})
	}
	var ran []reach.Candidate
	for _, b := range own {
		ran = append(ran, *b.Candidate)
	}
	c.packages = append(c.packages, reach.Package{Path: p.path, Tests: [2]bool{true, true},
		Changed: s.changed.ByBenchmarks(ran)})
	return nil
}

// build builds the test binaries of a package with counters.
func (c *coverage) build(ctx context.Context, p *pkg) error {
	c.binaries++
	for side := range c.sides {
		var err error
		if p.counted[side], err = c.buildCounted(ctx, p, side, p.static.changed.Counted(side),
			fmt.Sprintf("%d.counted.test", c.binaries)); err != nil {
			return err
		}
	}
	return nil
}

// buildCounted builds the test binary of a side with counters in some packages. The file's name gets the side in front.
func (m *measurement) buildCounted(ctx context.Context, p *pkg, side int, packages []string,
	name string) (process.Program, error) {
	out := filepath.Join(m.temp, m.sides[side].Name+name)
	flags := slices.Concat(m.sides[side].Flags, reach.CounterFlags(packages))
	return process.Program{Path: out, Dir: p.binaries[side].Dir, Env: m.sides[side].Env},
		m.follow(ctx, side, p.recipes[side], flags, out)
}

// runAll runs benchmarks: each once, then for a while those that have executed nothing that differs, and those that may
// execute more of it.
func (c *coverage) runAll(ctx context.Context, p *pkg, all []*covered) error {
	start, err := c.start(ctx, p)
	if err != nil {
		return err
	}
	// What counters decide comes first.
	slices.SortStableFunc(all, func(a, b *covered) int { return min(len(a.Doubt), 1) - min(len(b.Doubt), 1) })
	weights := 0
	var raw []reach.Execution
	for _, b := range all {
		if err := c.run(ctx, p, b, "1x"); err != nil {
			return err
		}
		raw = append(raw, b.raw...)
		if b.asks() {
			weights += b.subs
		}
	}
	each := min(max((usualCoverage-c.ran)/time.Duration(2*max(weights, 1)), leastCovered), mostCovered)
	for _, b := range all {
		length, subs := each, time.Duration(max(b.subs, 1))
		switch {
		case b.asks() && b.Later:
			length = max(each, mostCovered/subs, c.task.BenchTime)
		case b.asks():
			length = max(each, c.task.BenchTime)
		case p.static.changed.Leaves(b.Candidate, raw): // only what more it executes is asked
			length = max(leastCovered/subs, time.Millisecond)
		default:
			continue
		}
		if err := c.run(ctx, p, b, c.length(length)); err != nil {
			return err
		}
		raw = append(raw, b.raw...)
	}
	c.executions = append(c.executions, start)
	for _, b := range all {
		if lacks := p.static.changed.Uncounted(*b.Candidate, b.raw); lacks != "" && len(b.raw) > 0 {
			b.lose(lacks + " has no counters")
		}
		for _, x := range b.raw {
			x.Name = c.shortName(p, b.Function)
			c.executions = append(c.executions, x.After(start))
		}
	}
	return nil
}

// asks says that only counters decide whether it is measured, and that they have not yet.
func (b *covered) asks() bool { return b.Doubt == "" && !b.executes }

// length is a time as -test.benchtime has it, or the user's number of operations.
func (c *coverage) length(d time.Duration) string {
	if c.task.Iterations > 0 {
		return strconv.Itoa(c.task.Iterations) + "x"
	}
	return d.String()
}

// shortName is that of a benchmark, with its package where there are several.
func (c *coverage) shortName(p *pkg, function string) string {
	name := strings.TrimPrefix(function, "Benchmark")
	if len(c.compared) > 1 {
		name = path.Base(p.path) + "." + name
	}
	return name
}

// start is what both binaries execute before all benchmarks.
func (c *coverage) start(ctx context.Context, p *pkg) (reach.Execution, error) {
	start := p.static.changed.Run(reach.Start, "")
	for side := range c.sides {
		one := c.once(ctx, p, side, noBenchmark, "1x")
		if one.err != nil {
			return start, one.err
		}
		if one.lost != "" {
			return start, fmt.Errorf("the test binary with counters %s", one.lost)
		}
		start.Counters[side] = one.counters
	}
	return start, nil
}

// once is one run of one side.
type once struct {
	counters reach.Counters
	listing  benchtext.Listing
	lost     string // why it shows nothing
	err      error
}

// run runs a benchmark on both sides at the same time.
func (c *coverage) run(ctx context.Context, p *pkg, b *covered, length string) error {
	if b.lost {
		return nil
	}
	if c.ran > mostCoverage {
		b.lose("there was no time to run it with counters")
		return nil
	}
	began := time.Now()
	var both [2]once
	var wait sync.WaitGroup
	for side := range both {
		wait.Go(func() { both[side] = c.once(ctx, p, side, b.Function, length) })
	}
	wait.Wait()
	c.ran += time.Since(began)
	x := p.static.changed.Run(reach.Benchmark, "")
	for side, one := range both {
		switch {
		case one.err != nil:
			return one.err
		case one.lost != "":
			b.lose(fmt.Sprintf("with counters, %s %s", c.sides[side].Name, one.lost))
		}
		x.Counters[side] = one.counters
	}
	if !slices.Equal(namesOf(both[0].listing), namesOf(both[1].listing)) {
		b.lose("its sub-benchmarks differ")
	}
	b.subs = len(both[1].listing.Results)
	b.raw = append(b.raw, x)
	b.executes = b.executes || p.static.changed.Executes(b.Candidate, []reach.Execution{x})
	return nil
}

func namesOf(l benchtext.Listing) (names []string) {
	for _, r := range l.Results {
		names = append(names, string(r.Name))
	}
	return names
}

// once runs one side of a benchmark to its end.
func (c *coverage) once(ctx context.Context, p *pkg, side int, function, length string) (one once) {
	program := p.counted[side]
	profile := program.Path + "." + c.sides[side].Name + ".cover"
	defer func() { _ = os.Remove(profile) }()
	pattern, skip := c.task.Pattern, p.allBut(function)
	if function == noBenchmark {
		pattern, skip = noBenchmark, ""
	}
	procs := make([]string, 0, len(c.procs))
	for _, n := range c.procs {
		procs = append(procs, strconv.Itoa(n))
	}
	flags := slices.Concat(skipFlag(joined(c.task.Skip, skip)), []string{"-test.v", "-test.run=^$",
		"-test.coverprofile=" + profile, "-test.bench=" + pattern, "-test.benchtime=" + length, "-test.count=1",
		"-test.cpu=" + strings.Join(procs, ",")}, c.task.Args)
	limited, cancel := context.WithTimeout(ctx, max(mostCoverage-c.ran, usualCoverage))
	defer cancel()
	e, err := program.Run(limited, flags...)
	var exit *exec.ExitError
	one.listing = benchtext.ReadListing(e.Stdout)
	switch {
	case ctx.Err() != nil:
		one.err = ctx.Err()
	case limited.Err() != nil:
		one.lost = "took too long"
	case errors.As(err, &exit):
		one.lost = "failed: " + exit.Error()
	case err != nil:
		one.err = err
	case function != noBenchmark && (len(one.listing.Results) == 0 || len(one.listing.Skipped) > 0):
		one.lost = "did not run all of it"
	}
	if one.err != nil || one.lost != "" && limited.Err() != nil {
		return one
	}
	if one.counters, err = reach.ReadCounters(profile); err != nil {
		one.lost = "wrote no counters"
	}
	return one
}

// table is what benchmarks execute of all that differs.
func (c *coverage) table() *reach.Table { return reach.Together(c.packages).Executed(c.executions) }
