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
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
)

// Compare holds the benchmarks of packages in the work tree against a commit.
type Compare func(s spec.Spec, packages []string, commit string) (*benchmarks.Result, error)

// Command is hone track.
func Command(of *app.App, compare Compare) *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "track [packages]",
		Short: "Add this commit to the performance history of its branch",
		Long: `track compares the benchmarks of the commit that is checked out with those of the last commit that was tracked on
its branch, and adds what it found to the series of the branch. Both are measured here, in turns: a change is a ratio,
and no machine is compared with another one. The first commit of a series is not measured: the series begins with it.
Every tenth commit is also compared with the first one, so that small errors do not add up.

Benchmarks that execute nothing that changed are not measured. A benchmark that itself changed begins anew.

The series is kept in a directory or, without a setting, in the branch hone-series of this repository, which hone
writes without a checkout. Two jobs may write at the same time.

Exit codes: 0 also where something got slower: hone history --new says what is new; 2 for uncommitted changes.`,
		Example: `  hone track ./...                           # in a nightly job, after a checkout with fetch-depth: 0
  hone track ./parse --store /var/lib/perf   # the series is in a directory
  hone track ./... --bench 'Parse|Render' --budget 5m`,
		RunE: func(_ *cobra.Command, args []string) error { return run(of, f, args, compare) },
	}
	app.AddOptions(cmd, spec.ForTrack, f)
	return cmd
}

func run(of *app.App, f *spec.Spec, packages []string, compare Compare) error {
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
	out, err := track.Run(of.Ctx, track.Task{Dir: dir, Branch: branch, Subject: track.Benchmarks, Store: store,
		Compare: func(_ context.Context, base string) (*benchmarks.Result, error) {
			return compare(*f, packages, base)
		}, Report: func(r *benchmarks.Result) ([]byte, error) { return pageOf(of, f.Ledger, r) }})
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
	if branch, err := git.Run(ctx, dir, "symbolic-ref", "--quiet", "--short", "HEAD"); err == nil {
		return branch, nil
	}
	branch := cmp.Or(os.Getenv("GITHUB_REF_NAME"), os.Getenv("CI_COMMIT_BRANCH"), config.DefaultBranch(dir).Name)
	if branch == "" {
		return "", fail.New(fail.BadInput, "no branch is checked out").WithHint("--branch NAME says whose history goes on")
	}
	return branch, nil
}
