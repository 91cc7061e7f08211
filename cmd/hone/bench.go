package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/live"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
)

// benchFlags are the flags of hone bench.
type benchFlags struct {
	request   gobench.Request
	benchTime string
	tags      string
	gates     []string
	cpu       []int
	out       string
	json      bool
	markdown  bool
	args      bool
	quiet     bool
	noReport  bool
	profile   bool
	ledger    string
}

func (a *app) benchCommand() *cobra.Command {
	f := &benchFlags{}
	cmd := &cobra.Command{
		Use:   "bench [packages] --vs REF [--args ARGUMENTS]",
		Short: "Compare the benchmarks of go test with those of another version, interleaved",
		Long: `bench builds the test binaries of the working tree (B) and of --vs (A: a git ref or a
directory). The test binaries of both sides stay alive and take turns of some milliseconds, in
random order; new processes start each second. Where turns are not possible, each sample is a
process of its own. bench ends when each benchmark is faster, slower, or the same within +-delta and its
interval is useful, or when the budget is used up. All benchmarks share the level of the test.

A benchmark is not measured if nothing that it can run differs between A and B: "unchanged: same code". It
counts as the same. --all measures it.

A benchmark whose own code differs between A and B gets no verdict: "the benchmark itself
changed". --tests B measures B's benchmarks, also new ones, on the code of both sides.

Exit codes: 3 if a package does not build or a benchmark fails; the others are measured.
Without --gate: 8 if a benchmark is undecided, changed itself or is missing on one side, else 0, also for slower.
With --gate: 1 if a gate failed, 8 if one is undecided, else 0. Use --gate in CI: among many benchmarks
one is often undecided.

With --instructions valgrind counts the instructions of an operation, in all and by function. The counts
hardly depend on the machine, but fewer instructions do not always take less time.

The comparison is kept in the ledger: hone show COMPARISON prints it again.`,
		Example: `  hone bench --vs HEAD                      # uncommitted changes, package in this directory
  hone bench ./... --vs main --gate 'time<+5%' --gate 'allocs<=0'
  hone bench ./parse --bench Parse --vs HEAD~3 --budget 1m
  hone bench ./parse --vs main --instructions --gate 'instructions<+1%' --gate 'func(example.com/app/parse.Read)<+5%'
  hone bench ./parse --vs ./ --toolchain A=go1.25.5,B=go1.26.0
  hone bench ./... --vs main --skip 'Disk|Net' --args -size=large`,
		RunE: func(cmd *cobra.Command, args []string) error {
			packages, err := f.split(args, cmd.ArgsLenAtDash())
			if err != nil {
				return err
			}
			if f.request.Instructions {
				if err := f.forInstructions(cmd.Flags().Changed); err != nil {
					return err
				}
			}
			return a.bench(f, packages)
		},
	}
	f.add(cmd)
	cmd.AddCommand(a.benchCompareCommand())
	return cmd
}

func (f *benchFlags) add(cmd *cobra.Command) {
	r, fl := &f.request, cmd.Flags()
	fl.StringVar(&r.Vs, "vs", "", "what to compare with: a git ref of this repository, or a directory (./old, ../old, /src/old)")
	fl.StringVar(&r.Bench, "bench", ".", "benchmarks to run, a regular expression as for go test -bench")
	fl.StringVar(&r.Skip, "skip", "", "benchmarks to leave out, a `REGEXP` as for go test -skip")
	fl.StringVar(&r.Tests, "tests", "", "build both sides with the _test.go files of one `SIDE`, A or B (default: each has its own)")
	fl.StringVar(&f.benchTime, "benchtime", "", "timed part of a turn (up to 50ms) or of a process: a duration, or a number of operations (500x); default: chosen, 4ms for a turn")
	fl.IntSliceVar(&f.cpu, "cpu", nil, "values of GOMAXPROCS, as for go test -cpu (default: the CPUs there are)")
	fl.DurationVar(&r.Budget, "budget", 0, "time limit for the rounds (default: 15s for each benchmark, from 30s to 5m)")
	fl.IntVar(&r.Count, "count", 0, "limit on the rounds (default: as many as fit in the budget)")
	fractionVar(fl, &r.Delta, "delta", compare.DefaultDelta, "largest change that counts as \"the same\"")
	fl.Float64Var(&r.Alpha, "alpha", compare.DefaultAlpha, "level of the test, shared by all benchmarks and looks")
	fl.StringArrayVar(&f.gates, "gate", nil, "limit for every benchmark: 'time<+2%', 'cpu<+2%', 'bytes<=0', 'allocs<=0'; with --instructions 'instructions<+1%', 'func(PACKAGE.NAME)<+5%' (repeatable)")
	fl.StringVar(&r.Options.Toolchain, "toolchain", "", "GOTOOLCHAIN for the builds: go1.25.5, or A=go1.25.5,B=go1.26.0")
	fl.StringArrayVar(&r.Options.Env, "env", nil, "KEY=VALUE for build and benchmarks, or A:KEY=VALUE (repeatable)")
	fl.StringArrayVar(&r.Options.Flags, "flags", nil, "flag for go test -c (-race), or B:-pgo=off (repeatable)")
	fl.BoolVar(&f.args, argsFlag[2:], false, "all that follows goes to the test binaries, as for go test -args")
	fl.StringVar(&f.tags, "tags", "", "build tags, the same as --flags -tags=...")
	fl.DurationVar(&r.Timeout, "timeout", gobench.DefaultTimeout, "time after which a benchmark process is ended")
	fl.BoolVar(&r.All, "all", false, "also measure benchmarks whose code is the same on both sides")
	fl.Uint64Var(&r.Seed, "seed", 0, "seed of the random order; 0 draws one")
	fl.StringVar(&r.Out[0], "out-a", "", "file for the results of A in the format of go test (default: .hone/bench/TIME-A.txt)")
	fl.StringVar(&r.Out[1], "out-b", "", "file for the results of B (default: .hone/bench/TIME-B.txt)")
	fl.StringVarP(&f.out, "output", "o", "", "files FILE-A and FILE-B for the results, instead of --out-a and --out-b")
	fl.BoolVar(&f.profile, "profile", false, "after the rounds, take CPU and allocation profiles of every benchmark, for hone profile")
	fl.StringVar(&f.ledger, "ledger", ".hone", "`DIRECTORY` of the ledger, for the comparison, results and profiles")
	fl.BoolVar(&r.Instructions, "instructions", false, "count instructions per operation by valgrind, instead of time, with the change by function")
	fl.BoolVar(&f.json, "json", false, "print JSON with a schema version")
	fl.BoolVar(&f.markdown, "markdown", false, "print a table for a pull request")
	fl.BoolVar(&f.noReport, "no-report", false, "write no report at the end (see hone report)")
	fl.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
}

func (a *app) bench(f *benchFlags, packages []string) error {
	f.request.Packages = packages
	if err := f.finish(time.Now()); err != nil {
		return err
	}
	progress := a.progress(f.quiet)
	teller := live.New(string(page.KindBench), strings.Join(packages, " ")+" against "+f.request.Vs, progress)
	f.request.Progress = teller
	var store *ledger.Ledger
	open := func() (_ *ledger.Ledger, err error) {
		if store == nil {
			if store, err = a.openToMeasure(f.ledger); err == nil {
				teller.Begin(f.ledger)
			}
		}
		return store, err
	}
	if f.profile {
		if _, err := open(); err != nil {
			return err
		}
		f.request.KeepProfiles = (&lab.Lab{Ledger: store}).Import
	}
	kept := &benchKeeping{open: open, progress: teller}
	f.request.Begin = kept.begin
	result, err := gobench.Run(a.ctx, f.request)
	teller.End()
	progress.Clear()
	if result != nil {
		err = cmp.Or(err, kept.end(result, err))
	}
	if store != nil {
		err = cmp.Or(err, store.Close())
	}
	if result == nil {
		return err
	}
	printed := a.printBench(f, result)
	if !f.noReport {
		a.reportIn(f.ledger, result.ID, f.json || f.markdown, f.quiet)
	}
	return cmp.Or(err, printed, benchVerdict(result))
}

func (a *app) printBench(f *benchFlags, r *gobench.Result) error {
	switch {
	case f.json:
		return a.printJSON(r)
	case f.markdown:
		return report.BenchMarkdown(a.stdout, r)
	default:
		return report.Bench(a.stdout, r)
	}
}

// finish completes the request from the flags that need work.
func (f *benchFlags) finish(now time.Time) error {
	r := &f.request
	var err error
	if f.benchTime != "" {
		if r.BenchTime, r.Iterations, err = parseBenchTime(f.benchTime); err != nil {
			return err
		}
	}
	if r.Gates, err = benchGates(f.gates); err != nil {
		return err
	}
	if f.json && f.markdown {
		return fail.New(fail.BadInput, "--json and --markdown exclude each other").WithHint("choose one of them")
	}
	if f.tags != "" {
		r.Options.Flags = append(r.Options.Flags, "-tags="+f.tags)
	}
	r.Procs = f.cpu
	r.Seed = cmp.Or(r.Seed, newSeed())
	r.Home = f.ledger
	name := filepath.Join(f.ledger, "bench", now.UTC().Format("20060102-150405.000")+"-")
	for i, side := range []string{"A", "B"} {
		switch {
		case r.Out[i] != "":
		case f.out != "":
			ext := filepath.Ext(f.out)
			r.Out[i] = strings.TrimSuffix(f.out, ext) + "-" + side + ext
		default:
			r.Out[i] = name + side + ".txt"
		}
	}
	return nil
}

// forInstructions puts the defaults of time aside: durations say nothing of a program that is
// some 50 times slower, and counts scatter less than times.
func (f *benchFlags) forInstructions(changed func(flag string) bool) error {
	if !changed("delta") {
		f.request.Delta = gobench.InstructionsDelta
	}
	if f.benchTime != "" && !strings.HasSuffix(f.benchTime, "x") {
		return fail.New(fail.BadInput, "--benchtime %q: --instructions counts operations, not time", f.benchTime).
			WithHint("name a number of operations (--benchtime 500x), or leave it out: hone finds one")
	}
	if f.profile {
		return fail.New(fail.BadInput, "--profile and --instructions exclude each other").
			WithHint("leave --profile out: callgrind says which functions changed")
	}
	return nil
}

// parseBenchTime reads a duration, or a number of operations with an x behind it.
func parseBenchTime(text string) (time.Duration, int, error) {
	if number, found := strings.CutSuffix(text, "x"); found {
		if n, err := strconv.Atoi(number); err == nil && n > 0 {
			return 0, n, nil
		}
	} else if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d, 0, nil
	}
	return 0, 0, fail.New(fail.BadInput, "--benchtime %q: want a duration over 0 or a number of operations", text).
		WithHint("for example 100ms or 500x")
}

func benchGates(texts []string) ([]compare.Gate, error) {
	return each(texts, func(text string) (compare.Gate, error) {
		g, err := compare.ParseGateOf(text, slices.Concat(gobench.Measures, gobench.InstructionMeasures))
		if err != nil {
			return g, fmt.Errorf("--gate %q: %w", text, err)
		}
		return g, nil
	})
}
