package gobench

import (
	"context"
	"os"
	"path/filepath"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/git"
)

// checkout makes a detached worktree of the commit in a temporary directory: the
// benchmarks run in it and may write there, so it is no checkout to be shared. cleanup
// removes it, and is never nil.
func checkout(ctx context.Context, dir, commit string) (root string, cleanup func(), err error) {
	temp, err := os.MkdirTemp("", "hone-gobench-source-")
	if err != nil {
		return "", func() {}, fail.New(fail.Environment, "check out %.12s: %w", commit, err)
	}
	root = filepath.Join(temp, "source")
	cleanup = func() {
		after := context.WithoutCancel(ctx)
		// What git cannot remove is removed all the same, and git forgets it.
		_, _ = git.Run(after, dir, "worktree", "remove", "--force", "--force", root)
		_ = os.RemoveAll(temp)
		_, _ = git.Run(after, dir, "worktree", "prune")
	}
	if _, err := git.Run(ctx, dir, "worktree", "add", "--force", "--detach", root, commit); err != nil {
		cleanup()
		if ctx.Err() != nil {
			return "", func() {}, ctx.Err()
		}
		return "", func() {}, fail.New(fail.Environment, "check out %.12s: %w", commit, err)
	}
	return root, cleanup, nil
}
