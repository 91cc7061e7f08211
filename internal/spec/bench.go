package spec

import "time"

// Bench is what hone bench is asked for besides what other comparisons are.
type Bench struct {
	// Packages are patterns as for go test; none means the package in the working directory.
	Packages []string
	// Vs is side A: a git ref of the repository around the working directory, or a directory (./x, ../x, /x, or x if
	// there is no such ref).
	Vs string
	// Patch is side B: a patch or a pull request on Vs, instead of the working tree; empty for none.
	Patch string
	// Pattern chooses benchmarks as -bench of go test does; empty means all. Skip leaves out benchmarks as -skip of go
	// test does (Go 1.20 and later); empty means none.
	Pattern, Skip string
	// Shard is the part of the benchmarks to measure.
	Shard Shard
	// Tests, A or B, is the side whose _test.go files both sides are built with; empty means that each has its own.
	Tests string
	// Time is BenchTime or Iterations in a word.
	Time string
	// BenchTime is how long the timed part of one turn or process should be; 0 lets hone choose, 4 ms for a turn. Over
	// 50 ms, a process does that for each sample, and no turns are taken. Iterations, if not 0, is how many operations
	// such a process does instead.
	BenchTime  time.Duration
	Iterations int
	// Procs are the values of GOMAXPROCS to measure with, as -cpu of go test; none means the number of CPUs that hone
	// may use.
	Procs []int
	// Timeout ends a benchmark process that hangs; 0 means DefaultBenchTimeout.
	Timeout time.Duration
	// All measures benchmarks too whose code is the same on both sides, or that execute nothing that changed.
	All bool
	// ArgsFollow says that the arguments of the test binaries follow.
	ArgsFollow bool
	// Profile takes profiles after the rounds.
	Profile bool
	// Instructions counts the instructions of an operation by valgrind instead of its time. Procs then is 1, Iterations
	// what the shorter process of a run does, Budget and Count have other defaults, and so has Delta.
	Instructions bool
	// Ignore are keys of files that may differ.
	Ignore []string
}

// DefaultBenchTimeout is what go test allows a test binary.
const DefaultBenchTimeout = 10 * time.Minute

var benchRows = []Row{
	{Name: "vs", Group: OfBench, For: ForBench | ForReach, Flag: always, Is: First, By: map[Commands]string{ForReach: "HEAD"},
		Help: "`VERSION` to compare with: a git ref of this repository, a directory (./old, ../old, /src/old), or " +
			"a released version (example.com/app@v1.2.0)",
		To: func(s *Spec) any { return &s.Bench.Vs }},
	{Name: "patch", Group: OfBench, For: ForBench, Flag: always, Is: First | NotInPlans,
		Help: "B is --vs (default: HEAD) with this `PATCH`: a file, - for standard input, or '#123' for a pull request\nIts tests run first, and what it touches besides code is refused: --allow.",
		To:   func(s *Spec) any { return &s.Bench.Patch }},
	{Name: "bench", Group: OfBench, For: benches | ForBisect | ForFix | ForUpgrade, Flag: always, Is: First, Default: ".",
		By: map[Commands]string{ForFix: "", ForUpgrade: ""}, ForAgent: &ForAgent{}, Help: "benchmarks to run, a `REGEXP` as for go test -bench",
		To: func(s *Spec) any { return &s.Bench.Pattern }},
	{Name: "skip", Group: OfBench, For: benches | ForBisect, Flag: always, Is: First,
		Help: "benchmarks to leave out, a `REGEXP` as for go test -skip",
		To:   func(s *Spec) any { return &s.Bench.Skip }},
	{Name: "tests", Group: OfBench, For: benches | ForBisect, Flag: always,
		Help: "build both sides with the _test.go files of one `SIDE`, A or B (default: each has its own)\nFor hone bisect, A is the good end and B the bad one; it chooses one where the benchmark is new, or another one.",
		To:   func(s *Spec) any { return &s.Bench.Tests }},
	{Name: "all", Group: OfBench, For: benches, Flag: always, Is: First,
		Help: "also measure benchmarks whose code is the same on both sides, or that execute nothing that changed",
		To:   func(s *Spec) any { return &s.Bench.All }},
	{Name: "shard", Group: OfBench, For: ForBench, Flag: always, Is: First,
		Help: "measure part K of N, each in a job of its own; hone bench join makes one result of all parts",
		To:   func(s *Spec) any { return &s.Bench.Shard }},
	{Name: "benchtime", Group: OfBench, For: benches | ForBisect, Flag: always, Is: First,
		Help: "timed part of a turn or a process: a `TIME` or a number of operations, 500x (default: chosen, 4ms for a turn)\nOver 50ms, each sample is a process of its own.",
		To:   func(s *Spec) any { return &s.Bench.Time }},
	{Name: "cpu", Group: OfBench, For: benches | ForBisect, Flag: always, Is: First,
		Help: "values of GOMAXPROCS, as for go test -cpu (default: the CPUs there are)",
		To:   func(s *Spec) any { return &s.Bench.Procs }},
	{Name: "instructions", Group: OfBench, For: ForBench, Flag: always, Is: First,
		Help: "count instructions per operation by valgrind, instead of time, with the change by function",
		To:   func(s *Spec) any { return &s.Bench.Instructions }},
	{Name: "ignore", Group: OfBench, For: ForBenchFiles, Flag: always, Is: First | Commas,
		Help: "compare results that differ in this `KEY` of the files, such as cpu (repeatable)",
		To:   func(s *Spec) any { return &s.Bench.Ignore }},
	{Name: "args", Group: OfProgram, For: ForBench, Flag: always, Is: First,
		Help: "all that follows goes to the test binaries, as for go test -args",
		To:   func(s *Spec) any { return &s.Bench.ArgsFollow }},
	{Name: "timeout", Group: OfProgram, For: ForBench | ForReach, Flag: always, Default: DefaultBenchTimeout.String(),
		Help: "time after which a benchmark process is ended",
		To:   func(s *Spec) any { return &s.Bench.Timeout }},
	{Name: "budget", Group: OfTest, For: ForBench, Flag: always, Is: First, ForAgent: &ForAgent{Most: "30m"},
		Help: "time limit after the builds, profiles included (default: 15s for each benchmark, from 30s to 5m)",
		To:   func(s *Spec) any { return &s.Budget }},
	{Name: "gate", Group: OfTest, For: ForBench | ForBenchFiles, Flag: always, Is: First, ForAgent: &ForAgent{},
		Help: "`LIMIT` for every benchmark: time<+2%, cpu<+2%, bytes<=0, allocs<=0 (repeatable)\nWith --instructions: 'instructions<+1%', 'func(PACKAGE.NAME)<+5%'.",
		To:   func(s *Spec) any { return &s.GateWords }},
	{Name: "count", Group: OfTest, For: benches, Flag: always, Is: First,
		Help: "limit on the rounds (default: as many as fit in the budget)",
		To:   func(s *Spec) any { return &s.Count }},
	{Name: "alpha", Group: OfTest, For: ForBenchFiles | ForDiff, Flag: always, Is: First, Default: defaultAlpha,
		Help: "chance that something is called changed when nothing changed\nFor benchmarks it is that of each test, and 1-alpha is the confidence of the intervals.",
		To:   func(s *Spec) any { return &s.Alpha }},
	{Name: "profile", Group: OfObserve, For: ForBench, Flag: always, Is: First,
		Help: "after the rounds, take CPU and allocation profiles of every benchmark, for hone profile",
		To:   func(s *Spec) any { return &s.Bench.Profile }},
	{Name: "output", Short: "o", Group: OfOutput, For: ForBench, Flag: always, Is: First,
		Help: "keep the results in `FILE`-A and FILE-B, in the format of go test (default: .hone/bench/TIME-A.txt and -B.txt)",
		To:   func(s *Spec) any { return &s.Recording }},
}
