// Package fix is hone fix, and what hone advise --try has of it.
package fix

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/tune"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/rewrite"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
)

// command is one call of hone fix.
type command struct {
	*app.App
	app.MeasureFlags
	dry, pr     bool
	budgetGiven bool
	compare     Compare
	words       []string // after hone fix and hone bench, of benchmarks
}

// Command is hone fix; compare compares benchmarks.
func Command(of *app.App, compare Compare) *cobra.Command {
	c := &command{App: of, compare: compare}
	cmd := &cobra.Command{
		Use:   "fix [RUN | PACKAGE | --bench REGEXP [PACKAGES]] [flags] [-- ARGS...]",
		Short: "Make the changes that findings recommend, keep those that are shown to pay, and leave a branch of commits",
		Long: `fix takes the findings of a run, and tries each that has a rewrite: it changes a copy of your source, vets and tests
the changed package, and compares the program with the change against the program without it, under the load of the
run. A change that passes the tests, gives the same answers and is shown to pay is kept, and the next one is tried on
top of it. What is kept is a branch with one commit each: what was changed, the gain with its interval, and the command
that measures it again. Your files, the index and HEAD stay as they are; no other branch is touched.

RUN is a stored run. PACKAGE is as for hone run: fix takes the newest run of the program in this directory. Where there
is none, or with options of the load, it measures a run first. Without both it is the newest run of a program here.

With --bench the findings are those of benchmarks: fix profiles those that match in PACKAGES (default: the one here), and
compares the benchmarks that show a finding with the change and without it. The package needs tests: benchmarks compare no
answers. A change is kept if one of them is faster and none slower.

--budget is for all comparisons together, 1m for each rewrite without it. The intervals hold for all rewrites at once.
Ctrl-C ends it; commits that were made stay. It ends with 8 if no rewrite was shown to pay.`,
		Example: `  hone fix
  hone fix ./cmd/server --path /orders -c 50
  hone fix RUN --dry-run
  hone fix --bench . ./...
  hone fix --budget 10m --pr > body.md`,
		RunE: c.run,
	}
	c.Add(cmd, spec.ForFix)
	cmd.Flags().BoolVar(&c.dry, "dry-run", false, "list what would be tried, and measure nothing")
	cmd.Flags().BoolVar(&c.pr, "pr", false, "write the body of a pull request to standard output (Markdown)")
	return cmd
}

func (c *command) run(cmd *cobra.Command, args []string) error {
	if c.pr && (c.JSON || c.dry) {
		return fail.New(fail.BadInput, "--pr writes Markdown of what was measured: it goes with neither --json nor --dry-run").
			WithHint("leave one of them out")
	}
	c.budgetGiven = cmd.Flags().Changed("budget")
	if cmd.Flags().Changed("bench") {
		return c.byBenchmarks(cmd, args)
	}
	run, workDir, err := c.subject(cmd, args)
	if err != nil {
		return err
	}
	found, all, err := c.plan(run.ID)
	if err != nil {
		return err
	}
	if c.dry || len(found.Tried) == 0 {
		return cmp.Or(c.show(found), c.nothing(found))
	}
	branch, err := git.OpenNewBranch(c.Ctx, run.Binary.Dir, "hone/fix-"+run.ID)
	if err != nil {
		return err // also why the source may not take a rewrite any more
	}
	if len(all) == 0 {
		return cmp.Or(c.show(found), c.nothing(found))
	}
	again := func(before, after string) string { return repeat(run, before, after) }
	return c.fix(found, all, branch, again, func(f tune.Fixing) error {
		return c.InLab(&c.MeasureFlags, workDir, func(l *lab.Lab) error {
			f.By, f.Progress = tune.Trial{Lab: l, Task: c.Task}, l.Progress
			return f.Fix(c.Ctx, all)
		}, nil)
	})
}

// fix has the candidates tried by a way to measure them, puts what pays on the branch, and shows what became of all.
func (c *command) fix(found *tuning.Fix, all []*tune.Candidate, branch *git.NewBranch, again repeating,
	try func(tune.Fixing) error) error {
	if !c.budgetGiven {
		c.Budget = time.Duration(len(all)) * spec.DefaultBudget
	}
	found.Planned = false
	found.Tried = slices.DeleteFunc(found.Tried, func(r *tuning.Rewritten) bool { return r.Refused == "" })
	err := try(tune.Fixing{Budget: c.Budget,
		Keep: func(r *tuning.Rewritten, change *rewrite.Change) error {
			err := commit(c.Ctx, branch, again, r, change)
			if err == nil {
				found.Branch, found.Base = branch.Name, branch.Base
			}
			return err
		},
		Tried: func(r *tuning.Rewritten) { found.Tried = append(found.Tried, r) },
	})
	if err != nil {
		found.Stopped = err.Error()
		if len(found.Tried) == 0 {
			return err
		}
	}
	return cmp.Or(c.show(found), err, nonePays(found))
}

func (c *command) show(found *tuning.Fix) error {
	if c.pr {
		return report.FixMarkdown(c.Stdout, found)
	}
	return c.Print(c.JSON, found, func(w io.Writer) error { return report.Fix(w, found) })
}

// nothing is the error where no finding has a rewrite that the source takes; nil of what only lists.
func (c *command) nothing(found *tuning.Fix) error {
	if c.dry {
		return nil
	}
	if len(found.Tried)+found.Without == 0 {
		return fail.New(fail.Undecided, "no branch is made: there are no findings")
	}
	return fail.New(fail.Undecided, "no branch is made: no finding has a rewrite that the source takes").
		WithHint("make the changes by hand, and measure them with hone compare or hone bench")
}

// nonePays is the error where nothing was kept.
func nonePays(found *tuning.Fix) error {
	if len(found.Kept()) > 0 {
		return nil
	}
	return fail.New(fail.Undecided, "no branch is made: no rewrite was shown to pay").
		WithHint("a larger --budget shows smaller gains")
}

// subject makes the request that of a stored run: the one that is named, the newest of the program, or one that is
// measured first. workDir is the directory that its sources refer to.
func (c *command) subject(cmd *cobra.Command, args []string) (run record.Run, workDir string, err error) {
	words, rest := app.SplitAtDash(cmd, args)
	name := ""
	others := spec.Of(cmd.Flags()).OnlyFor(spec.ForFix, spec.ForAdvise)
	switch {
	case len(words) == 1 && app.IsStored(words[0]):
		if name = words[0]; len(rest) > 0 {
			return run, "", fail.New(fail.BadInput, "arguments after -- with a stored run, which has its own").
				WithHint("name the package instead of the run")
		}
	case len(rest) == 0 && len(others) == 0:
		if name, err = c.newestOf(words); err != nil {
			return run, "", err
		}
	}
	switch {
	case name != "":
		run, workDir, err = c.Again(&c.MeasureFlags, cmd, name)
		return run, workDir, err
	case c.dry:
		return run, "", fail.New(fail.BadInput, "there is no run of this program yet, whose findings could be tried").
			WithHint("hone run measures one; without --dry-run, hone fix does")
	}
	return c.measureFirst(cmd, args)
}

// measureFirst measures the package as hone run does, and makes the request that of the run.
func (c *command) measureFirst(cmd *cobra.Command, args []string) (run record.Run, workDir string, err error) {
	if _, err := c.ReadWords(&c.MeasureFlags, cmd, args, 1, 1); err != nil {
		return run, "", err
	}
	here, err := app.WorkDir()
	if err != nil {
		return run, "", err
	}
	if _, err := git.OpenNewBranch(c.Ctx, here, "hone/fix-run"); err != nil {
		return run, "", err // before a minute is spent
	}
	test, line := c.Test, c.Task.Command
	c.Budget, c.Duration, c.Slice = 0, cmp.Or(c.Duration, runFor), cmp.Or(c.Slice, runSlice)
	c.Task.Command = line.As("run").Without("budget", "alpha", "block", "dry-run", "pr")
	err = c.Measure(&c.MeasureFlags, func(out *record.Outcome, _ *page.Library, err error) error {
		run = out.Runs[0]
		return err
	})
	if err != nil {
		return run, "", err
	}
	c.Test, c.Stored = test, true
	c.Task, workDir, err = lab.Again(run, c.Parts)
	c.Parts, c.Task.Command = c.Task.Parts, line
	return run, workDir, err
}

// The load of a run that is measured first is that of hone run without options.
const (
	runFor   = 10 * time.Second
	runSlice = 100 * time.Millisecond
)

// plan are the findings of a run that have a rewrite which the source of today takes, and what a report says of all.
func (c *command) plan(name string) (found *tuning.Fix, all []*tune.Candidate, err error) {
	l, err := c.ReadLedger(c.Ledger)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	findings, run, err := findingsOf(c.Library(l).Stored, name)
	if err != nil {
		return nil, nil, err
	}
	found = &tuning.Fix{Schema: tuning.FixSchema, Run: run.ID, Planned: true}
	for i, f := range findings {
		one, err := c.list(found, i+1, f, run)
		if err != nil {
			return nil, nil, err
		}
		if one != nil {
			all = append(all, one)
		}
	}
	return found, all, nil
}

// list adds a finding with its number to what a report says of all, and makes it one to try; nil where it has no
// rewrite, or none that the source takes.
func (c *command) list(found *tuning.Fix, number int, f advice.Finding, run *record.Run) (*tune.Candidate, error) {
	one, err := Candidate(number, f, run)
	if err != nil {
		found.Without++
		return nil, nil
	}
	listed := one.Finding
	if _, err := one.Change(c.Ctx, nil); err != nil {
		if c.Ctx.Err() != nil {
			return nil, c.Ctx.Err()
		}
		listed.Refused, one = err.Error(), nil
	}
	found.Tried = append(found.Tried, &listed)
	return one, nil
}
