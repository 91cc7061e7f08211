package gobench

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/judge"
)

// Task is what to measure: what is asked for of benchmarks, and what a command adds. The zero value of a field takes
// its default. Of the program these are the Options of the build, for both sides or for A or B, and the Args, which go
// to the test binaries after the flags of package testing, as -args of go test.
//
// Budget is the most time for rounds, second stages, profiles and checks: all after builds and pilot runs. 0 means 15 s
// for each benchmark, but at least 30 s and at most 5 minutes, and no limit if there is a Count. Alpha is shared among
// all benchmarks. Layouts is in how many orders of their functions the test binaries of both sides are linked; 0 lets
// hone choose by the budget.
type Task struct {
	spec.Program
	spec.Test
	spec.Bench
	// WorkDir is where relative packages and directories start from; empty is the current directory. It is side B.
	WorkDir string
	// LabelB is what reports call side B; empty is the working tree.
	LabelB string
	// Block is how long two living processes take turns before fresh ones are started; 0 means 1 s, or less where the
	// budget is short for so many benchmarks.
	Block time.Duration
	// OneStage says that no difference is confirmed by a second stage: a search asks again by itself.
	OneStage bool
	// OnlyCode compares the code of the benchmarks and measures none: the result has those that are unchanged.
	OnlyCode bool
	// NoReach leaves out what the benchmarks execute of the change: a search compares too many commits for it.
	NoReach bool
	// Out are the files that receive the results of A and B in the format of go test; both are required.
	Out [2]string
	// Home is the directory of the ledger, "" if there is none. Files of Out that lie in it are made only where it, and
	// all on the way to them, is hone's own.
	Home string
	// KeepProfiles, if not nil, has every benchmark profiled after the rounds, and stores what was taken.
	KeepProfiles Keep
	// Earlier, if not nil, are the latest comparisons of benchmarks that are stored, of any package.
	Earlier func() []*benchmarks.Result
	// Begin, if not nil, is called once when the rounds begin, with what is known of the result.
	Begin func(*benchmarks.Result)
	// Progress hears what is going on; required.
	Progress progress.Sink
}

func (r Task) withDefaults() Task {
	if len(r.Packages) == 0 {
		r.Packages = []string{"."}
	}
	r.Pattern = cmp.Or(r.Pattern, ".")
	r.Timeout = cmp.Or(r.Timeout, spec.DefaultBenchTimeout)
	if r.Instructions {
		r.Procs, r.Delta = []int{1}, cmp.Or(r.Delta, InstructionsDelta)
	}
	return r
}

// Validate reports all faults of the request at once, as fail.BadInput.
func (r Task) Validate() error {
	var faults []error
	want := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	want(r.Vs != "", "there is nothing to compare with: name a git ref or a directory with --vs")
	want(r.BenchTime >= 0 && r.Timeout >= 0 && r.Budget >= 0 && r.Block >= 0, "a duration is negative")
	want(r.Count >= 0, "--count %d is negative", r.Count)
	want(r.Iterations >= 0, "--benchtime %dx is negative", r.Iterations)
	want(r.Out[0] != r.Out[1] || r.Out[0] == "", "both sides would be written to the file %s", r.Out[0])
	for _, n := range r.Procs {
		want(n > 0, "--cpu %d: want a number of CPUs over 0", n)
	}
	want(r.Tests == "" || r.Tests == "A" || r.Tests == "B", "--tests %q: want A or B", r.Tests)
	for _, p := range r.Packages {
		want(!strings.HasPrefix(p, "-"), "package %q is a flag: put flags of go test into --flags", p)
	}
	for flag, pattern := range map[string]string{"--bench": r.Pattern, "--skip": r.Skip} {
		if _, err := regexp.Compile(pattern); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", flag, err))
		}
	}
	if r.Instructions {
		want(len(r.Procs) == 0 || slices.Equal(r.Procs, []int{1}),
			"--cpu: --instructions counts with GOMAXPROCS=1, since valgrind runs one thread at a time")
		want(r.Count != 1, "--count 1: it takes %d rounds to see how runs of one side scatter", compare.FewestRuns)
		want(r.KeepProfiles == nil,
			"--profile and --instructions exclude each other: callgrind says which functions changed")
	}
	faults = append(faults, r.checkGates(), r.Test.Validate())
	if err := errors.Join(faults...); err != nil {
		return fail.New(fail.BadInput, "check request: %w",
			err).WithHint("hone bench --help shows the flags; for example: hone bench ./... --vs main")
	}
	return nil
}

// options are the rules of verdicts, before the level is shared.
func (r Task) options() judge.Options {
	return r.Rules().WithDefaults()
}

// budgetFor is the time for the rounds of n benchmarks; 0 means no limit.
func (r Task) budgetFor(n int) time.Duration {
	return r.budgetOr(min(5*time.Minute, max(30*time.Second, time.Duration(n)*15*time.Second)))
}

// budgetOr is the budget of the task: none beside a count of rounds, and else the usual one.
func (r Task) budgetOr(usual time.Duration) time.Duration {
	switch {
	case r.Budget > 0:
		return r.Budget
	case r.Count > 0:
		return 0
	default:
		return usual
	}
}
