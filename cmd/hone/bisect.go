package main

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/bisect"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/pull"
	"github.com/gohone/hone/internal/conduct/track"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/live"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
)

func (a *commands) bisectCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	cmd := &cobra.Command{
		Use:   "bisect GOOD [BAD] [PACKAGE] [flags] [-- ARGS...]",
		Short: "Find the commit that made a program, or a benchmark, slower or faster",
		Long: `bisect compares BAD (default: HEAD) with GOOD, an older commit. If they differ, it finds the commit
between them that changed the measure most. It measures only a few commits, each in turns with GOOD, and
chooses each next commit from the results so far. At the end it compares the commit with the one before it, in two stages.

PACKAGE is a main package as for hone compare, with everything that hone compare takes. With --bench the
benchmarks of packages are measured, as hone bench does. It follows the measure that differs most,
or the one of --measure.

Commits that change no file of the build, and no file that the program may read, are not measured. A commit
that does not build, does not start or answers wrongly is skipped; the answer names it if it may be
the one.
Your working tree is not touched. After Ctrl-C, --resume goes on.

Exit codes: 0 if the commit was found, or if GOOD and BAD are the same; 8 if that is undecided.`,
		Example: `  hone bisect v1.0 ./cmd/server
  hone bisect v1.0 v1.1 ./cmd/server --rate 1000 --measure p99
  hone bisect v1.0 --bench Parse ./parse`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.bisect(f, cmd, args)
		},
	}
	f.Add(cmd, spec.ForBisect)
	cmd.AddCommand(a.bisectLogCommand())
	return cmd
}

// bisection is one call of hone bisect.
type bisection struct {
	*commands
	*app.MeasureFlags
	task  bisect.Task // of the search; that of the program is measureFlags.task
	bench bool        // benchmarks are measured, not a program
	dir   string      // that the user works in
	file  string      // of the log
	// worktrees is where checkouts of a history of versions are kept; empty of the user's own history.
	worktrees string
}

func (a *commands) bisect(f *app.MeasureFlags, cmd *cobra.Command, args []string) error {
	words, rest := app.SplitAtDash(cmd, args)
	dir, err := app.WorkDir()
	if err != nil {
		return err
	}
	b := &bisection{commands: a, MeasureFlags: f, bench: cmd.Flags().Changed("bench"), dir: dir}
	named, end, err := b.ends(words)
	if err != nil {
		return err
	}
	defer end()
	b.task.Bisect = f.Bisect
	if err := b.openLog(time.Now(), questionOf(app.CommandLine(cmd, a.Words))); err != nil {
		return err
	}
	defer func() { _ = b.task.Log.Out.(io.Closer).Close() }() // each line was written on its own
	if b.bench {
		return b.benchmarks(cmd, named)
	}
	if len(named) > 1 {
		return fail.New(fail.BadInput, "hone bisect takes one package, got %d: %q", len(named), named).
			WithHint("quote a package together with its own arguments; benchmarks are named with --bench")
	}
	return b.program(cmd, named, rest)
}

// questionOf is a command line without what changes nothing of what is measured.
func questionOf(line spec.Line) string {
	return line.Redacted().Without("resume", "replay", "seed", "quiet", "json", "markdown", "no-report",
		"ledger").String()
}

// ends takes GOOD and BAD from the words, and returns the others. The second word is BAD if it names a commit, and
// cannot be a directory. end removes what was made for them.
func (b *bisection) ends(words []string) (packages []string, end func(), err error) {
	b.task.Dir, b.task.Good, b.task.Bad = b.dir, words[0], "HEAD"
	end = func() {}
	if b.Bisect.Module != "" {
		return b.versions(words)
	}
	if _, err := git.FindCommit(b.Ctx, b.dir, words[0]); err != nil {
		if app.IsSource(words[0]) {
			line := slices.Concat([]string{"hone", "bisect", "HEAD~10"}, words)
			return nil, end, fail.New(fail.BadInput, "%s is source code, and hone bisect takes a good commit first",
				words[0]).
				WithHint("%s looks at the last ten commits", spec.Join(line))
		}
		return nil, end, err
	}
	packages = words[1:]
	if len(packages) == 0 || source.IsRelative(packages[0]) || filepath.IsAbs(packages[0]) {
		return packages, end, nil
	}
	if _, err := git.FindCommit(b.Ctx, b.dir, packages[0]); err == nil {
		b.task.Bad, packages = packages[0], packages[1:]
	} else if len(packages) > 1 && !b.bench {
		return nil, end, err
	}
	return packages, end, nil
}

// versions makes the history of a module, in which the search goes on.
func (b *bisection) versions(words []string) (packages []string, end func(), err error) {
	end = func() {}
	if len(words) < 2 {
		return nil, end, fail.New(fail.BadInput, "--module %s wants two versions, got %q", b.Bisect.Module, words).
			WithHint("for example: hone bisect --module %s v1.2.0 v1.3.0 ./cmd/server", b.Bisect.Module)
	}
	progress := b.Progress(b.Quiet)
	progress.Phase("list the versions of "+b.Bisect.Module, 0)
	v, err := bisect.MakeVersions(b.Ctx, b.dir, build.Env(build.Variant{}), b.Bisect.Module, words[0], words[1])
	progress.Clear()
	if err != nil {
		return nil, end, err
	}
	b.dir, b.worktrees = v.Dir, v.Worktrees
	b.task.Dir, b.task.Good, b.task.Bad, b.task.Notes = v.Dir, words[0], words[1], v.Left
	return words[2:], func() { _ = v.Close() }, nil // a later hone removes what is left
}

// program searches with a program under load.
func (b *bisection) program(cmd *cobra.Command, words, rest []string) error {
	if _, err := b.TakeWords(b.MeasureFlags, cmd, words, rest, 1, 1); err != nil {
		return err
	}
	if len(b.Variants) != 1 {
		return fail.New(fail.BadInput,
			"hone bisect takes one package").WithHint("for example: hone bisect v1.0 ./cmd/server")
	}
	b.followGate()
	var result *commitsearch.Result
	var kept *bisectKeeping
	return b.InLab(b.MeasureFlags, b.dir, func(l *lab.Lab) (err error) {
		b.task.Progress, l.Worktrees = l.Progress, b.worktrees
		kept = &bisectKeeping{ledger: l.Ledger}
		if err := kept.begin(b.task); err != nil {
			return err
		}
		b.task.Measurer = &bisect.Programs{Lab: l, Task: b.MeasureFlags.Task}
		result, err = bisect.Run(b.Ctx, b.task)
		if result != nil {
			result.Package = b.Variants[0].Source
		}
		return kept.end(result, b.file, err)
	}, func(lib *page.Library, err error) error { return b.show(lib, result, err) })
}

// followGate follows the measure of the first gate if none is named.
func (b *bisection) followGate() {
	if len(b.GateWords) > 0 && b.task.Measure == "" {
		b.task.Measure = b.GateWords[0][:max(0, strings.IndexAny(b.GateWords[0], "<>= "))]
	}
}

// benchmarks searches with benchmarks of packages.
func (b *bisection) benchmarks(cmd *cobra.Command, packages []string) (err error) {
	if err := onlyOfBenchmarks(cmd); err != nil {
		return err
	}
	f, err := b.benchFlags(packages)
	if err != nil {
		return err
	}
	b.followGate()
	return b.inBenchmarks(b.Ctx, f, nil, b.show)
}

// searchStep measures the ends of steps of a series again, and searches for the commit that made the first one.
func (a *commands) searchStep(ctx context.Context, s spec.Spec, e track.Ends,
	measured func(*track.Compared) error) (result *commitsearch.Result, err error) {
	s.Bench.Pattern, s.Bisect.Measure = e.Pattern(), e.Steps[0].Measure
	b := &bisection{commands: a, MeasureFlags: &app.MeasureFlags{Spec: s}}
	if b.dir, err = app.WorkDir(); err != nil {
		return nil, err
	}
	b.task = bisect.Task{Bisect: s.Bisect, Dir: b.dir, Good: e.After.Hash, Bad: e.Commit.Hash, Log: &bisect.Log{}}
	f, err := b.benchFlags(e.Packages())
	if err != nil {
		return nil, err
	}
	err = b.inBenchmarks(ctx, f, measured, func(_ *page.Library, r *commitsearch.Result, err error) error {
		result = r
		return err
	})
	return result, err
}

// benchFlags are those of hone bench for the comparisons of a search.
func (b *bisection) benchFlags(packages []string) (*benchFlags, error) {
	f := &benchFlags{Spec: b.Spec}
	f.Bench.Vs = b.task.Good
	if f.Budget == spec.DefaultBudget {
		f.Budget = 0 // that of hone bench depends on how many benchmarks there are
	}
	return f, f.finish(packages, time.Now())
}

// inBenchmarks searches with benchmarks, and keeps the search. measured hears of each comparison in two stages, those of
// both ends first; it may be nil.
func (b *bisection) inBenchmarks(ctx context.Context, f *benchFlags, measured func(*track.Compared) error,
	show func(*page.Library, *commitsearch.Result, error) error) error {
	store, err := b.OpenToMeasure(f.Ledger)
	if err != nil {
		return err
	}
	shown := b.Progress(f.Quiet)
	teller := live.New(string(page.KindBench), "bisect "+b.task.Good+" "+b.task.Bad, shown)
	teller.Begin(f.Ledger)
	b.task.Progress, f.task.Progress = teller, teller
	f.task.WorkDir, f.task.KeepProfiles = b.dir, pull.Store{Ledger: store}.Import
	open := func() (*ledger.Ledger, error) { return store, nil }
	b.task.Measurer = &bisect.Benchmarks{
		Task: f.task,
		Keep: func(r *benchmarks.Result, err error) error {
			kept := (&benchKeeping{open: open, progress: quietly{teller}}).end(r, err)
			if measured != nil && kept == nil && err == nil {
				return measured(track.OfBenchmarks(r))
			}
			return kept
		},
		Files: func() [2]string { return benchFiles(f.Ledger, time.Now()) },
	}
	kept := &bisectKeeping{ledger: store}
	var result *commitsearch.Result
	if err = kept.begin(b.task); err == nil {
		result, err = bisect.Run(ctx, b.task)
		err = kept.end(result, b.file, err)
	}
	teller.End()
	shown.Clear()
	err = show(b.Library(store), result, err)
	return cmp.Or(err, store.Close())
}

// onlyOfBenchmarks refuses options of programs under load.
func onlyOfBenchmarks(cmd *cobra.Command) error {
	other := spec.Of(cmd.Flags()).OnlyFor(spec.ForCompare, spec.ForBench)
	if len(other) == 0 {
		return nil
	}
	return fail.New(fail.BadInput, "%s with --bench: benchmarks are not put under load",
		strings.Join(other, ", ")).WithHint("leave it out")
}

// quietly hears all but the names of comparisons: the search has one of its own.
type quietly struct{ progress.Sink }

// show writes what was found, and returns the error of the command.
func (b *bisection) show(lib *page.Library, result *commitsearch.Result, err error) error {
	if result == nil || result.Stopped == "" {
		return err
	}
	printed := b.printBisection(b.MeasureFlags, result)
	b.ReportOf(b.MeasureFlags, lib, result.ID)
	if err != nil && fail.KindOf(err) == fail.Interrupted {
		err = fail.New(fail.Interrupted, "%w", err).WithHint("go on: %s", commandLineAgain(b.Words, "--resume"))
	}
	return cmp.Or(err, printed, exitOfBisection(result))
}

// commandLineAgain is the command line that was typed, with one more flag.
func commandLineAgain(args []string, flag string) string {
	if slices.Contains(args, flag) {
		return shellwords.Join(slices.Concat([]string{"hone"}, args))
	}
	at := slices.Index(args, "--")
	if at < 0 {
		at = len(args)
	}
	return shellwords.Join(slices.Concat([]string{"hone"}, args[:at], []string{flag}, args[at:]))
}

func (a *commands) printBisection(f *app.MeasureFlags, r *commitsearch.Result) error {
	switch {
	case f.JSON:
		return a.PrintJSON(r)
	case f.Markdown:
		return report.BisectMarkdown(a.Stdout, r)
	}
	return report.Bisect(a.Stdout, r)
}

// exitOfBisection is how a search ends its command; nil where a commit was found, or the ends are the same.
func exitOfBisection(r *commitsearch.Result) error {
	switch r.Stopped {
	case commitsearch.Found, commitsearch.Nothing:
		return nil
	case commitsearch.NotSure:
		return fail.New(fail.Undecided, "undecided: whether %s differs from %s", r.BadRef,
			r.GoodRef).WithHint("give the comparison more time: --budget 5m")
	case commitsearch.TooMany:
		return fail.New(fail.Undecided, "undecided: %d probes do not say which commit it is",
			len(r.Probes)).WithHint("--resume goes on")
	}
	return fail.New(fail.Undecided, "undecided: the comparison with the commit before does not confirm it").
		WithHint("give the comparison more time: --budget 5m")
}

// showBisection writes a search as it was printed when it ended.
func (a *commands) showBisection(f *app.MeasureFlags, c *stored.Comparison) error {
	if c.Bisect.Stopped == "" && !f.JSON {
		return report.BisectUnfinished(a.Stdout, c.Bisect, c.Row.Status, c.Row.Reason)
	}
	return a.printBisection(f, c.Bisect)
}
