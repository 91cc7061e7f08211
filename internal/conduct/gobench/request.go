package gobench

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/judge"
)

// Request says what to measure. The zero value of a field takes its default.
type Request struct {
	// WorkDir is where relative packages and directories start from; empty is the current
	// directory. It is side B.
	WorkDir string
	// Vs is side A: a git ref of the repository around WorkDir, or a directory (./x, ../x,
	// /x, or x if there is no such ref). Required.
	Vs string
	// Packages are patterns as for go test; none means the package in WorkDir.
	Packages []string
	// Bench chooses benchmarks as -bench of go test does; empty means all.
	Bench string
	// Skip leaves out benchmarks as -skip of go test does (Go 1.20 and later); empty means none.
	Skip string
	// Tests, A or B, is the side whose _test.go files both sides are built with; empty means
	// that each has its own.
	Tests string
	// Args go to the test binaries behind the flags of package testing, as -args of go test.
	Args []string
	// Options are toolchains, environment and build flags, for both sides or for A or B.
	Options build.VariantOptions
	// Procs are the values of GOMAXPROCS to measure with, as -cpu of go test; none means
	// the number of CPUs that hone may use.
	Procs []int
	// BenchTime is how long the timed part of one turn or process should be; 0 lets hone
	// choose, 4 ms for a turn. Over 50 ms, a process does that for each sample, and no turns
	// are taken. Iterations, if not 0, is how many operations such a process does instead.
	BenchTime  time.Duration
	Iterations int
	// Block is how long two living processes take turns before fresh ones are started; 0
	// means 1 s, or less where the budget is short for so many benchmarks.
	Block time.Duration
	// Timeout ends a benchmark process that hangs; 0 means spec.DefaultBenchTimeout.
	Timeout time.Duration
	// Instructions counts the instructions of an operation by valgrind instead of its time.
	// Procs then is 1, Iterations what the shorter process of a run does, Budget and Count have
	// other defaults, and Delta is InstructionsDelta.
	Instructions bool
	// Budget is the most time for rounds, second stages, profiles and checks: all after builds and pilot runs. 0 means 15 s
	// for each benchmark, but at least 30 s and at most 5 minutes, and no limit if there is
	// a Count. Count, if not 0, is the most rounds.
	Budget time.Duration
	Count  int
	// Alpha and Delta are as in judge.Options; Alpha is shared among all benchmarks.
	Alpha, Delta float64
	// Gates are limits that each benchmark is held to.
	Gates []gate.Gate
	// Layouts is in how many orders of their functions the test binaries of both sides are linked;
	// 0 lets hone choose by the budget, 1 leaves them as the user's flags link them.
	Layouts int
	// All measures benchmarks too whose code is the same on both sides.
	All bool
	// OneStage says that no difference is confirmed by a second stage: a search asks again by itself.
	OneStage bool
	// OnlyCode compares the code of the benchmarks and measures none: the result has those that are unchanged.
	OnlyCode bool
	// Seed of the random order.
	Seed uint64
	// Out are the files that receive the results of A and B in the format of go test; both
	// are required.
	Out [2]string
	// Home is the directory of the ledger, "" if there is none. Files of Out that lie in it
	// are made only where it, and all on the way to them, is hone's own.
	Home string
	// KeepProfiles, if not nil, has every benchmark profiled after the rounds, and stores
	// what was taken.
	KeepProfiles Keep
	// Begin, if not nil, is called once when the rounds begin, with what is known of the result.
	Begin func(*benchmarks.Result)
	// Progress hears what is going on; required.
	Progress progress.Sink
}

func (r Request) withDefaults() Request {
	if len(r.Packages) == 0 {
		r.Packages = []string{"."}
	}
	r.Bench = cmp.Or(r.Bench, ".")
	r.Timeout = cmp.Or(r.Timeout, spec.DefaultBenchTimeout)
	if r.Instructions {
		r.Procs, r.Delta = []int{1}, cmp.Or(r.Delta, InstructionsDelta)
	}
	return r
}

// Validate reports all faults of the request at once, as fail.BadInput.
func (r Request) Validate() error {
	var faults []error
	want := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	want(r.Vs != "", "there is nothing to compare with: name a git ref or a directory with --vs")
	want(r.BenchTime >= 0 && r.Timeout >= 0 && r.Budget >= 0 && r.Block >= 0, "a duration is negative")
	want(r.Count >= 0, "--count %d is negative", r.Count)
	want(r.Layouts >= 0, "%d layouts are negative", r.Layouts)
	want(r.Iterations >= 0, "--benchtime %dx is negative", r.Iterations)
	want(r.Out[0] != r.Out[1] || r.Out[0] == "", "both sides would be written to the file %s", r.Out[0])
	for _, n := range r.Procs {
		want(n > 0, "--cpu %d: want a number of CPUs over 0", n)
	}
	want(r.Tests == "" || r.Tests == "A" || r.Tests == "B", "--tests %q: want A or B", r.Tests)
	for _, p := range r.Packages {
		want(!strings.HasPrefix(p, "-"), "package %q is a flag: put flags of go test into --flags", p)
	}
	for flag, pattern := range map[string]string{"--bench": r.Bench, "--skip": r.Skip} {
		if _, err := regexp.Compile(pattern); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", flag, err))
		}
	}
	if r.Instructions {
		want(len(r.Procs) == 0 || slices.Equal(r.Procs, []int{1}), "--cpu: --instructions counts with GOMAXPROCS=1, since valgrind runs one thread at a time")
		want(r.Count != 1, "--count 1: it takes %d rounds to see how runs of one side scatter", fewestInstructionRounds)
		want(r.KeepProfiles == nil, "--profile and --instructions exclude each other: callgrind says which functions changed")
	}
	faults = append(faults, r.checkGates(), judge.Options{Alpha: r.Alpha, Delta: r.Delta}.Validate())
	if err := errors.Join(faults...); err != nil {
		return fail.New(fail.BadInput, "check request: %w", err).WithHint("hone bench --help shows the flags; for example: hone bench ./... --vs main")
	}
	return nil
}

// options are the rules of verdicts, before the level is shared.
func (r Request) options() judge.Options {
	return judge.Options{Alpha: r.Alpha, Delta: r.Delta}.WithDefaults()
}

// budgetFor is the time for the rounds of n benchmarks; 0 means no limit.
func (r Request) budgetFor(n int) time.Duration {
	return r.budgetOr(min(5*time.Minute, max(30*time.Second, time.Duration(n)*15*time.Second)))
}

// budgetOr is the budget of the request: none beside a count of rounds, and else the usual one.
func (r Request) budgetOr(usual time.Duration) time.Duration {
	switch {
	case r.Budget > 0:
		return r.Budget
	case r.Count > 0:
		return 0
	default:
		return usual
	}
}
