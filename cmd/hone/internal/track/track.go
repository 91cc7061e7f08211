// Package track is hone track.
package track

import (
	"cmp"
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/track"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
)

// Compare holds the benchmarks of packages in the work tree against a commit.
type Compare func(s spec.Spec, packages []string, commit string) (*benchmarks.Result, error)

// Search measures the ends of steps again, as what is asked for says, and searches for the commit between them.
type Search func(ctx context.Context, s spec.Spec, e track.Ends,
	measured func(*track.Compared) error) (*commitsearch.Result, error)

// Command is hone track.
func Command(of *app.App, compare Compare, search Search) *cobra.Command {
	f := &app.MeasureFlags{}
	cmd := &cobra.Command{
		Use:   "track [packages | SERVICE] [flags] [-- ARGS...]",
		Short: "Add this commit to the performance history of its branch",
		Long: `track compares the benchmarks of the commit that is checked out, or a service under load, with the last commit
that was tracked on its branch, and adds what it found to the series of the branch. Both are measured here, in turns: a
change is a ratio, and no machine is compared with another one. The first commit of a series is not measured: the series
begins with it. Every tenth commit is also compared with the first one, so that small errors do not add up.

SERVICE is one main package, as hone compare takes it, also the one of hone.yaml. A main package that has benchmarks is
refused until an option says what to track: --bench . its benchmarks, an option of the load or arguments after -- the
service.

What executes nothing that changed is not measured. A benchmark that itself changed begins anew.

Then track confirms new steps: it measures the commits before and after each once more, and searches the commits
between them, if there are any, as hone bisect does. The largest steps come first. What is left when the time of
--confirm is over, or when the job is cut, the next job does.

The series is kept in a directory or, without a setting, in the branch hone-series of this repository, which hone
writes without a checkout. Two jobs may write at the same time.

Exit codes: 0 also where something got slower: hone history --new says what is new; 2 for uncommitted changes.`,
		Example: `  hone track ./...                           # in a nightly job, after a checkout with fetch-depth: 0
  hone track ./parse --store /var/lib/perf   # the series is in a directory
  hone track ./cmd/server --path /search     # a service under load
  hone track ./... --bench 'Parse|Render' --budget 5m`,
		RunE: func(cmd *cobra.Command, args []string) error { return run(of, f, cmd, args, compare, search) },
	}
	f.Add(cmd, spec.ForTrack)
	return cmd
}

func run(of *app.App, f *app.MeasureFlags, cmd *cobra.Command, args []string, compare Compare, search Search) error {
	if os.Getenv("GITHUB_EVENT_NAME") == "pull_request" {
		return fail.New(fail.BadInput, "a pull request is not a part of the branch's history yet").
			WithHint("run hone track after the merge: on: push or on: schedule")
	}
	dir, err := app.WorkDir()
	if err != nil {
		return err
	}
	branch, err := branchOf(of.Ctx, dir, f.Track.Branch)
	if err != nil {
		return err
	}
	store, err := series.Open(of.Ctx, f.Track.Store, dir)
	if err != nil {
		return err
	}
	if len(f.Track.Import) > 0 {
		return importFiles(of, store, dir, branch, f.Track.Import)
	}
	accepted, err := Accepted(dir)
	if err != nil {
		return err
	}
	task := track.Task{Dir: dir, Branch: branch, Store: store, Confirm: f.Track.Confirm, Accepted: accepted,
		Report: func(id string) ([]byte, error) { return pageOf(of, f.Ledger, id) }}
	words, rest := app.SplitAtDash(cmd, args)
	if words, err = of.Expand(words, 1); err != nil {
		return err
	}
	switch ofService, err := tracksService(of.Ctx, cmd, words, rest); {
	case err != nil:
		return err
	case ofService:
		s, err := newService(of, f, cmd, dir, words, rest)
		if err != nil {
			return err
		}
		if task.Subject, err = s.subject(); err != nil {
			return err
		}
		task.Compare = s.compare
	default:
		if !spec.Of(cmd.Flags()).Given("budget") {
			f.Budget = 0 // that of hone bench depends on how many benchmarks there are
		}
		task.Subject = series.Benchmarks
		task.Compare = func(_ context.Context, base string) (*track.Compared, error) {
			r, err := compare(f.Spec, words, base)
			if r == nil {
				return nil, err
			}
			return track.OfBenchmarks(r), err
		}
		task.Search = func(ctx context.Context, e track.Ends, measured func(*track.Compared) error) (*commitsearch.Result, error) {
			return search(ctx, f.Spec, e, measured)
		}
	}
	out, err := track.Run(of.Ctx, task)
	if out == nil {
		return err
	}
	return cmp.Or(err, of.Print(f.JSON, out, func(w io.Writer) error { return report.Track(w, out) }))
}

// branchOf is the branch whose series goes on: the one that the user names, that is checked out, that the CI job is
// for, or the default branch.
func branchOf(ctx context.Context, dir, named string) (string, error) {
	if named != "" {
		return named, nil
	}
	if branch, err := git.Run(ctx, dir, "rev-parse", "--abbrev-ref", "HEAD"); err == nil && branch != "HEAD" {
		return branch, nil
	}
	branch := cmp.Or(os.Getenv("GITHUB_REF_NAME"), os.Getenv("CI_COMMIT_BRANCH"), config.DefaultBranch(dir).Name)
	if branch == "" {
		return "", fail.New(fail.BadInput, "no branch is checked out").WithHint("--branch NAME says whose history goes on")
	}
	return branch, nil
}
