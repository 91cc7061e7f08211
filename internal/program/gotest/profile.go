package gotest

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/prof"
)

// Profiled is a benchmark function with its profiles.
type Profiled struct {
	// Package and Module are import paths, Dir and ModuleDir their directories.
	Package, Dir, Module, ModuleDir string
	// Name is the function's.
	Name string
	// CPU and Allocs are of one process that ran the benchmark with all its parts.
	CPU, Allocs prof.Capture
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir           string
	TestGoFiles, XTestGoFiles []string
	Module                    *struct{ Path, Dir string }
}

const (
	// allProfiles is about how long the benchmarks of a package take for their profiles, if there is time for
	// leastProfile of each part of each; none has more than mostProfile.
	allProfiles  = 40 * time.Second
	leastProfile = 50 * time.Millisecond
	mostProfile  = time.Second
	// mostProcess ends a benchmark that hangs, or has too many parts.
	mostProcess = time.Minute
)

// Profile profiles the benchmarks of packages that a pattern chooses, as go test -bench reads it, each function in a
// process of its own. What does not build, fails or does not end in time is left out, and told to warn; phase hears
// which one runs.
//
// Errors are fail.BadInput where go list refuses the packages, or nothing matches, and ctx's own.
func Profile(ctx context.Context, t Task, pattern string, phase, warn func(string)) ([]Profiled, error) {
	if _, err := regexp.Compile(pattern); err != nil {
		return nil, fail.New(fail.BadInput, "--bench: %w", err).WithHint("it is a pattern as for go test -bench")
	}
	packages, err := testedPackages(ctx, t)
	if err != nil {
		return nil, err
	}
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	defer temp.Remove() // what is left a later hone removes
	p := profiling{Task: t, pattern: pattern, temp: temp.Path, phase: phase, warn: warn}
	var all []Profiled
	matched := 0
	for _, l := range packages {
		some, n, err := p.of(ctx, l)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			warn(fmt.Sprintf("note: %s is left out: %v", l.ImportPath, err))
		}
		all, matched = append(all, some...), matched+n
	}
	if matched == 0 {
		return nil, fail.New(fail.BadInput, "no benchmark of %s matches %q", strings.Join(t.Packages, " "), pattern).
			WithHint("go test -list Benchmark ./... lists the benchmarks")
	}
	return all, nil
}

func testedPackages(ctx context.Context, t Task) ([]listed, error) {
	args := slices.Concat([]string{"list"}, t.Flags, []string{"-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,Module", "--"},
		t.Packages)
	out, _, err := gocommand.Ask(ctx, t.Env, t.Dir, args...)
	if err != nil {
		return nil, err
	}
	all, err := gocommand.Documents[listed](out)
	return slices.DeleteFunc(all,
		func(l listed) bool { return l.Module == nil || len(l.TestGoFiles)+len(l.XTestGoFiles) == 0 }), err
}

// profiling is one call of Profile.
type profiling struct {
	Task
	pattern, temp string
	phase, warn   func(string)
}

// of profiles the benchmarks of a package; n is how many match.
func (p profiling) of(ctx context.Context, l listed) (all []Profiled, n int, err error) {
	binary := filepath.Join(p.temp, "profiled.test")
	build := slices.Concat([]string{"test", "-c", "-vet=off", "-o", binary}, p.Flags, []string{l.ImportPath})
	if _, _, err := gocommand.Ask(ctx, p.Env, l.Dir, build...); err != nil {
		return nil, 0, err
	}
	out, err := p.run(ctx, binary, l.Dir, "-test.list=^Benchmark")
	if err != nil {
		return nil, 0, err
	}
	var names []string
	for name := range strings.Lines(out) {
		if name = strings.TrimSpace(name); strings.HasPrefix(name, "Benchmark") {
			names = append(names, name)
		}
	}
	began := time.Now()
	var asked time.Duration // for what is over
	for i, name := range names {
		p.phase("profile " + name + " of " + l.ImportPath)
		share := max(0, allProfiles-time.Since(began)) / time.Duration(len(names)-i)
		perAsked := 2.0 // a benchmark approaches the time that it is asked for
		if i > 0 {      // with their parts, and what else the machine does
			perAsked = max(1, float64(time.Since(began))/float64(asked))
		}
		each := min(mostProfile, max(leastProfile, time.Duration(float64(share)/perAsked)))
		others := slices.Concat(names[:i], names[i+1:])
		one, err := p.one(ctx, binary, l.Dir, others, each)
		asked += each
		for err == nil && one != nil && one.starved() && 8*each < allProfiles-time.Since(began) {
			each *= 4 // other programs have the CPUs, or the benchmark waits
			one, err = p.one(ctx, binary, l.Dir, others, each)
			asked += each
		}
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		switch {
		case err != nil:
			n++
			p.warn(fmt.Sprintf("note: %s of %s is left out: %v", name, l.ImportPath, err))
		case one != nil:
			n++
			one.Package, one.Dir, one.Name = l.ImportPath, l.Dir, name
			one.Module, one.ModuleDir = l.Module.Path, l.Module.Dir
			all = append(all, *one)
		}
	}
	return all, n, nil
}

// starved says that there are few samples of the CPU time for findings.
func (p *Profiled) starved() bool {
	ticks := int64(0) // the first column of a CPU profile is the number of samples (runtime/pprof)
	for _, s := range p.CPU.Profile.Sample {
		ticks += s.Value[0]
	}
	return ticks < 2*prof.FewestSamples
}

// one profiles what the pattern chooses beside other benchmarks, in a process of its own; nil where that is nothing.
// How alternatives and parts of a pattern go together is the testing package's to know.
func (p profiling) one(ctx context.Context, binary, dir string, others []string, each time.Duration) (*Profiled, error) {
	cpu, allocs := filepath.Join(p.temp, "cpu.pb.gz"), filepath.Join(p.temp, "allocs.pb.gz")
	out, err := p.run(ctx, binary, dir, "-test.run=^$", "-test.bench="+p.pattern,
		"-test.skip=^("+strings.Join(others, "|")+")$", "-test.benchtime="+each.String(),
		"-test.timeout="+mostProcess.String(), "-test.cpuprofile="+cpu, "-test.memprofile="+allocs)
	if err != nil {
		return nil, err
	}
	operations := uint64(0)
	for r := benchfmt.NewReader(strings.NewReader(out), ""); r.Scan(); {
		if one, ok := r.Result().(*benchfmt.Result); ok {
			operations += uint64(one.Iters)
		}
	}
	if operations == 0 {
		return nil, nil
	}
	one := &Profiled{}
	for file, c := range map[string]*prof.Capture{cpu: &one.CPU, allocs: &one.Allocs} {
		if *c, err = readProfile(file); err != nil {
			return nil, err
		}
		c.Operations = operations
	}
	one.CPU.Kind, one.Allocs.Kind = "cpu", "allocs"
	return one, nil
}

// run runs a test binary in the directory of its package, and returns what it prints.
func (p profiling) run(ctx context.Context, binary, dir string, args ...string) (string, error) {
	bounded, end := context.WithTimeout(ctx, mostProcess+10*time.Second)
	defer end()
	cmd := exec.CommandContext(bounded, binary, args...)
	mark := lifetime.NewMark()
	cmd.Dir, cmd.Env = dir, gocommand.Env(p.Env, dir, lifetime.MarkVariable+"="+mark)
	said, err := lifetime.WithOutput(cmd, lifetime.RunBound)
	lifetime.EndMarked(func(one string) bool { return one == mark })
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		if reason := firstReason(said); reason != "" {
			err = fmt.Errorf("%w: %s", err, reason)
		}
		return said, err
	}
	return said, nil
}

func readProfile(name string) (prof.Capture, error) {
	f, err := inputs.Profile.Open(name)
	if err != nil {
		return prof.Capture{}, fmt.Errorf("it wrote no profile: %w", err)
	}
	defer f.Close()
	return prof.ReadCapture(f, prof.Limits{})
}
