package main

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/conduct/pull"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/spec/read"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/live"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/view/model/bench"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/judge"
)

// benchFlags are the flags of hone bench, and what the command adds to them.
type benchFlags struct {
	spec.Spec
	task gobench.Task
	line spec.Line // the command line; nil where another command measures
	// checked is what the patch that is measured passed; nil without one.
	checked *record.Checked
}

func (a *commands) benchCommand() *cobra.Command {
	f := &benchFlags{}
	cmd := &cobra.Command{
		Use:   "bench [packages] --vs REF | PACKAGES@VERSION @VERSION [--args ARGUMENTS]",
		Short: "Compare the benchmarks of go test with another version of the code, in turns",
		Long: `bench builds the test binaries of the working tree (B) and of --vs (A: a git ref or a
directory). The test binaries of both sides stay alive and take turns of some milliseconds, in
random order; new processes start each second. Where turns are not possible, each sample is a
process of its own. bench ends when each benchmark is faster, slower, or the same within +-delta and its
interval is useful, or when the budget is used up. All benchmarks share the level of the test.

PACKAGES@VERSION @VERSION compares two released versions of a module, for which neither a module nor a
repository is needed here. --vs takes a released version, too.

A benchmark is not measured if nothing that it can run differs between A and B: "unchanged: same code". The
others run for a moment with coverage counters: those that execute no function that differs are not measured
either, "unchanged: executes nothing that changed". Both count as the same. --all measures them. Functions that
changed and that no benchmark executes are listed.

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
  hone bench ./... --gate 'time<+5%' --prove-gate     # a planted slow-down has to end with 1
  hone bench ./... --vs main --shard 2/8 --json       # a part; hone bench join makes one result of all
  hone bench ./parse --bench Parse --vs HEAD~3 --budget 1m
  hone bench ./parse --vs main --instructions --gate 'instructions<+1%' --gate 'func(example.com/app/parse.Read)<+5%'
  hone bench ./... --vs main --patch faster.diff     # a patch, without applying it here
  hone bench ./parse --vs ./ --toolchain A=go1.25.5,B=go1.26.0
  hone bench ./... --vs main --skip 'Disk|Net' --args -size=large
  hone bench github.com/google/btree/...@v1.1.2 @latest`,
		RunE: app.WithExits(&f.Spec, func(cmd *cobra.Command, args []string) error {
			packages, err := f.split(args, cmd.ArgsLenAtDash())
			if err != nil {
				return err
			}
			if f.Bench.Instructions {
				if err := f.forInstructions(cmd.Flags().Changed); err != nil {
					return err
				}
			}
			f.line = app.CommandLine(cmd, endFlagsAtArgs(a.Words))
			return a.bench(f, packages)
		}),
	}
	app.AddOptions(cmd, spec.ForBench, &f.Spec)
	cmd.AddCommand(a.benchCompareCommand(), a.benchJoinCommand())
	return cmd
}

func (a *commands) bench(f *benchFlags, packages []string) (err error) {
	if packages, f.Bench.Vs, err = a.ReleasedBenchmarks(packages, f.Bench.Vs, f.ProveGate); err != nil {
		return err
	}
	if f.Bench.Patch != "" {
		tree, err := a.PatchedTree(&f.Spec)
		if err != nil {
			return err
		}
		defer tree.Remove() // what is left a later hone removes
		f.Bench.Vs, f.task.WorkDir, f.task.LabelB = tree.Base[:12], tree.Dir, tree.Label
		f.checked = tree.Checked
	}
	if f.Bench.Vs == "" && !f.ProveGate {
		dir, err := app.WorkDir()
		if err != nil {
			return err
		}
		return a.nothingToCompare(dir, packages)
	}
	result, err := a.measureBench(f, packages)
	if result == nil {
		return err
	}
	printed := a.printBench(&f.Spec, result)
	if !f.NoReport {
		a.ReportIn(f.Ledger, result.ID, f.JSON || f.Markdown, f.Quiet)
	}
	return cmp.Or(err, printed, app.KeepComparisonCSV(f.CSV, bench.ComparisonOf(result)),
		a.ReceiptIn(f.Ledger, f.Receipt, result.ID), benchVerdict(result))
}

// measureBench compares the benchmarks and keeps the comparison in the ledger. There may be a result with an error.
func (a *commands) measureBench(f *benchFlags, packages []string) (*benchmarks.Result, error) {
	if err := f.finish(packages, time.Now()); err != nil {
		return nil, err
	}
	progress := a.Progress(f.Quiet)
	teller := live.New(string(page.KindBench), strings.Join(packages, " ")+" against "+f.Bench.Vs, progress)
	f.task.Progress = teller
	var store *ledger.Ledger
	open := func() (_ *ledger.Ledger, err error) {
		if store == nil {
			if store, err = a.OpenToMeasure(f.Ledger); err == nil {
				teller.Begin(f.Ledger)
			}
		}
		return store, err
	}
	if f.Bench.Profile {
		if _, err := open(); err != nil {
			return nil, err
		}
		f.task.KeepProfiles = pull.Store{Ledger: store}.Import
	}
	kept := &benchKeeping{open: open, progress: teller}
	f.task.Begin, f.task.Earlier = kept.begin, kept.earlier
	result, err := gobench.Run(a.Ctx, f.task)
	teller.End()
	progress.Clear()
	if result != nil {
		result.Command = f.line.Redacted()
		environment := record.EnvironmentHere(app.Version())
		result.Environment, result.Checked = &environment, f.checked
		err = cmp.Or(err, kept.end(result, err))
	}
	if store != nil {
		err = cmp.Or(err, store.Close())
	}
	return result, err
}

// benchSince holds the benchmarks of the work tree against a commit, as f asks for it.
func (a *commands) benchSince(f spec.Spec, packages []string, commit string) (*benchmarks.Result, error) {
	f.Bench.Vs = commit
	return a.measureBench(&benchFlags{Spec: f}, packages)
}

// benchBetween holds the benchmarks of one directory against those of another, the first being A.
func (a *commands) benchBetween(f spec.Spec, packages []string, dirs [2]string) (*benchmarks.Result, error) {
	b := &benchFlags{Spec: f}
	b.Bench.Vs, b.task.WorkDir, b.task.LabelB = dirs[0], dirs[1], "the rewritten code"
	return a.measureBench(b, packages)
}

func (a *commands) printBench(f *spec.Spec, r *benchmarks.Result) error {
	switch {
	case f.JSON:
		return a.PrintJSON(r)
	case f.Markdown:
		return report.BenchMarkdown(a.Stdout, r)
	default:
		return report.Bench(a.Stdout, r)
	}
}

// finish completes the task by what is asked for.
func (f *benchFlags) finish(packages []string, now time.Time) (err error) {
	f.Bench.Packages, f.Seed = packages, cmp.Or(f.Seed, app.NewSeed())
	if err = read.Benchmarks(&f.Spec, benchMeasures()); err != nil {
		return err
	}
	f.task.Program, f.task.Test, f.task.Bench, f.task.Home = f.Program, f.Test, f.Bench, f.Ledger
	if f.JSON && f.Markdown {
		return fail.New(fail.BadInput, "--json and --markdown exclude each other").WithHint("choose one of them")
	}
	f.task.Out = benchFiles(f.Ledger, now)
	if ext := filepath.Ext(f.Recording); f.Recording != "" {
		f.task.Out = filesOfSides(strings.TrimSuffix(f.Recording, ext)+"-", ext)
	}
	return nil
}

// benchFiles are where the results of both sides of a comparison go, in the ledger at dir.
func benchFiles(dir string, now time.Time) [2]string {
	return filesOfSides(filepath.Join(dir, "bench", now.UTC().Format("20060102-150405.000")+"-"), ".txt")
}

func filesOfSides(begin, end string) [2]string {
	return [2]string{begin + "A" + end, begin + "B" + end}
}

// forInstructions puts the defaults of time aside: durations say nothing of a program that is
// some 50 times slower, and counts scatter less than times.
func (f *benchFlags) forInstructions(changed func(flag string) bool) error {
	if !changed("delta") {
		f.Delta = gobench.InstructionsDelta
	}
	if f.Bench.Time != "" && !strings.HasSuffix(f.Bench.Time, "x") {
		return fail.New(fail.BadInput, "--benchtime %q: --instructions counts operations, not time", f.Bench.Time).
			WithHint("name a number of operations (--benchtime 500x), or leave it out: hone finds one")
	}
	if f.Bench.Profile {
		return fail.New(fail.BadInput, "--profile and --instructions exclude each other").
			WithHint("leave --profile out: callgrind says which functions changed")
	}
	return nil
}

// benchMeasures are what gates on benchmarks may be on.
func benchMeasures() []judge.Measure {
	return slices.Concat(measure.OfBenchmarks, measure.OfInstructions)
}

// nothingToCompare is the error for benchmarks without --vs, with the version that fits the directory: HEAD for changes
// that are not committed, else the default branch, else the commit before.
func (a *commands) nothingToCompare(dir string, packages []string) error {
	err := fail.New(fail.BadInput, "there is nothing to compare with: --vs names a git ref or a directory")
	command := "hone bench"
	if len(packages) > 0 {
		command += " " + shellwords.Join(packages)
	}
	commit, dirty := git.CommitOf(a.Ctx, dir)
	before, noneBefore := git.FindCommit(a.Ctx, dir, "HEAD~1")
	branch := config.DefaultBranch(dir).Name
	switch main, _ := git.FindCommit(a.Ctx, dir, branch); {
	case commit == "":
		return err.WithHint("no commit is here: name the directory of another version: %s --vs ../old", command)
	case dirty, noneBefore != nil:
		return err.WithHint("for the changes since the last commit: %s --vs HEAD", command)
	case branch != "" && main != "" && main != commit && main != before:
		return err.WithHint("for the changes of this branch: %s --vs %s", command, branch)
	}
	return err.WithHint("for the last commit: %s --vs HEAD~1", command)
}

// argsFlag ends the flags of hone bench: what follows goes to the test binaries.
const argsFlag = "--args"

// endFlagsAtArgs makes --args and -args of hone bench mean what -args means to go test: hone reads no flags after it,
// and passes all that follows to the test binaries. It changes only command lines of hone bench that have no -- before.
func endFlagsAtArgs(args []string) []string {
	if len(args) == 0 || args[0] != "bench" {
		return args
	}
	for i, arg := range args {
		switch arg {
		case "--":
			return args
		case argsFlag, "-args":
			return slices.Concat(args[:i], []string{argsFlag, "--"}, args[i+1:])
		}
	}
	return args
}

// split takes the arguments of the test binaries, which stand after --args or --, from the
// packages. dash is where they begin, under 0 if there are none.
func (f *benchFlags) split(args []string, dash int) (packages []string, err error) {
	if dash < 0 {
		return args, nil
	}
	f.Args = args[dash:]
	if len(f.Args) == 0 {
		return nil, fail.New(fail.BadInput, "there is nothing after %s", argsFlag).
			WithHint("put the arguments of the test binaries after it: hone bench ./... --vs main --args -size=large")
	}
	return args[:dash], nil
}
