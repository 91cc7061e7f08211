package reach

import (
	"fmt"
	"slices"

	"golang.org/x/tools/cover"
)

// Counters are the blocks of a build with coverage counters, by the names of their files: import path and file.
type Counters map[string][]cover.ProfileBlock

// ReadCounters reads a coverage profile, as go test -coverprofile and go tool covdata textfmt write it.
func ReadCounters(path string) (Counters, error) {
	profiles, err := cover.ParseProfiles(path)
	if err != nil {
		return nil, fmt.Errorf("read coverage profile: %w", err)
	}
	c := Counters{}
	for _, p := range profiles {
		c[p.FileName] = append(c[p.FileName], p.Blocks...)
	}
	return c, nil
}

// since has the counts without those of another run of the same build.
func (c Counters) since(start Counters) Counters {
	if c == nil {
		return nil
	}
	type place struct {
		file         string
		line, column int
	}
	before := map[place]int{}
	for file, blocks := range start {
		for _, b := range blocks {
			before[place{file, b.StartLine, b.StartCol}] += b.Count
		}
	}
	left := Counters{}
	for file, blocks := range c {
		for _, b := range blocks {
			b.Count = max(0, b.Count-before[place{file, b.StartLine, b.StartCol}])
			left[file] = append(left[file], b)
		}
	}
	return left
}

// in says whether code between two lines of a file has counters, and whether one of them has counted.
func (c Counters) in(file string, lines Place) (counted, executed bool) {
	for _, b := range c[file] {
		if b.StartLine >= lines.From && b.EndLine <= lines.To {
			counted = true
			executed = executed || b.Count > 0
		}
	}
	return counted, executed
}

// Execution is a run of both builds, or of one: what they have counted in it.
type Execution struct {
	Kind Kind
	// Name is that of a benchmark.
	Name string
	// Counters are of A and B; nil where a side did not run, or does not have the benchmark.
	Counters [2]Counters
	// Failed says that a side ended before its time, and may execute more than it has counted.
	Failed  bool
	counted [2][]string // packages with counters
}

// Run is one that is not over yet, of builds with counters where this change needs them. name is that of a benchmark.
func (c *Change) Run(kind Kind, name string) Execution {
	return Execution{Kind: kind, Name: name, counted: [2][]string{c.Counted(0), c.Counted(1)}}
}

// After is the run without what its processes executed at their start.
func (r Execution) After(start Execution) Execution {
	for side := range r.Counters {
		r.Counters[side] = r.Counters[side].since(start.Counters[side])
	}
	return r
}

// Executed is the table with what some runs have executed.
func (c *Change) Executed(runs []Execution) *Table {
	t := c.Table
	t.Functions = slices.Clone(t.Functions)
	for i := range t.Functions {
		t.Functions[i].executed(c.codes[i], runs)
		t.Lines.add(c.codes[i], runs)
	}
	return &t
}

func (f *Function) executed(where code, runs []Execution) {
	f.Executed = slices.Clone(f.Executed)
	if where.unused {
		f.Uncounted = ""
	}
	if len(f.Executed) > 0 { // known without counters
		return
	}
	var ran, hasCounters [2]bool // where the function is
	for _, r := range runs {
		byRun := false
		for side, c := range r.Counters {
			counted, executed := c.in(where.files[side], where.places[side])
			byRun = byRun || executed
			ran[side] = ran[side] || c != nil && where.files[side] != "" && slices.Contains(r.counted[side], f.Package)
			hasCounters[side] = hasCounters[side] || counted
		}
		if byRun && !slices.Contains(f.Executed, r.Kind) {
			f.Executed = append(f.Executed, r.Kind)
		}
		if byRun && r.Kind == Benchmark && !slices.Contains(f.Benchmarks, r.Name) {
			f.Benchmarks = append(f.Benchmarks, r.Name)
		}
	}
	if lacks := ran != hasCounters || ran == [2]bool{}; f.Uncounted == "" && lacks && !where.unused {
		f.Uncounted = "no counters"
	}
	if f.Uncounted == "" && !slices.Contains(f.Executed, Benchmark) {
		f.Uncounted = where.open
	}
	for _, r := range runs {
		if r.Failed && f.Uncounted == "" && !slices.Contains(f.Executed, r.Kind) {
			f.Uncounted = r.named() + " failed, and may execute it"
		}
	}
}

// named is what ran, in words.
func (r Execution) named() string {
	if r.Name == "" {
		return string(r.Kind) + " run"
	}
	return string(r.Kind) + " " + r.Name
}

// add counts the changed lines of a function.
func (l *Lines) add(where code, runs []Execution) {
	for _, line := range where.changed {
		hasCounter, by := false, map[Kind]bool{}
		for _, r := range runs {
			counted, executed := r.Counters[1].at(where.files[1], line)
			hasCounter = hasCounter || counted
			by[r.Kind] = by[r.Kind] || executed
		}
		if !hasCounter {
			continue
		}
		l.All++
		for kind, n := range map[Kind]*int{Load: &l.Load, Benchmark: &l.Benchmark, Test: &l.Test} {
			if by[kind] {
				*n++
			}
		}
	}
}

// at says whether a line has counters, and whether one of them has counted.
func (c Counters) at(file string, line int) (counted, executed bool) {
	for _, b := range c[file] {
		if b.StartLine <= line && line <= b.EndLine {
			counted = true
			executed = executed || b.Count > 0
		}
	}
	return counted, executed
}

// Counted are the packages of a side whose functions need counters.
func (c *Change) Counted(side int) (packages []string) {
	for i, f := range c.Table.Functions {
		if f.needsCounters() && c.codes[i].files[side] != "" && !slices.Contains(packages, f.Package) {
			packages = append(packages, f.Package)
		}
	}
	return packages
}

// needsCounters says that only counters show whether it is executed.
func (f *Function) needsCounters() bool { return f.Uncounted == "" && len(f.Executed) == 0 }
