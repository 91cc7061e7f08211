package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/internal/sys/filelock"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
)

// checkoutAge is how long an unused checkout is kept: a comparison is seldom repeated
// after two weeks, and a checkout is made anew in a second.
const checkoutAge = 14 * 24 * time.Hour

// checkout makes the tree of a commit available and returns its root. repo names the
// repository, wherever in it the user works.
func checkout(ctx context.Context, ref, repo, commit string, o Options) (root string, err error) {
	home, err := worktreeHome(o.Worktrees, repo)
	if err == nil {
		root, err = prepareCheckout(ctx, o.WorkDir, home, commit)
	}
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fail.New(fail.Or(fail.Environment, err), "check out %s: %w", ref, err) // with its hint
	}
	return root, nil
}

func repositoryError(ref, dir string, err error) error {
	var known *fail.Error
	if errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fail.New(fail.BadInput, "git ref %q: %s is not in a git repository that can be read: %w", ref, dir, err).
		WithHint("run hone inside the repository, or name a directory (./cmd/server)")
}

// worktreeHome returns the directory for the checkouts of one repository.
func worktreeHome(base, repo string) (string, error) {
	if base == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		base = filepath.Join(cache, "hone", "worktrees")
	}
	base, err := filepath.Abs(base)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(repo))
	home := filepath.Join(base, hex.EncodeToString(sum[:8])) // 64 bits: no user has 2^32 repositories
	return home, os.MkdirAll(home, 0o700)
}

// prepareCheckout returns a checkout of the commit that is exactly that commit. A lock per
// repository keeps two hones from making or removing the same checkout at once.
func prepareCheckout(ctx context.Context, repo, home, commit string) (string, error) {
	unlock, err := filelock.Wait(ctx, filepath.Join(home, "lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	forgetWorktrees(ctx, repo, home)
	tree := filepath.Join(home, commit)
	if !isPristine(ctx, tree, commit) {
		if err := os.RemoveAll(tree); err != nil {
			return "", err
		}
		if err := git.Checkout(ctx, repo, commit, tree); err != nil {
			return "", errors.Join(err, os.RemoveAll(tree))
		}
	}
	now := time.Now()
	if err := os.Chtimes(tree, now, now); err != nil { // its last use
		return "", err
	}
	pruneCheckouts(home, now.Add(-checkoutAge))
	return tree, nil
}

// isPristine says whether tree is a checkout of the commit with nothing changed,
// removed or added; ignored files count, since go build may compile them.
func isPristine(ctx context.Context, tree, commit string) bool {
	if info, err := os.Lstat(filepath.Join(tree, ".git")); err != nil || !info.IsDir() {
		return false // and git would answer for a repository around the cache
	}
	head, err := git.Run(ctx, tree, "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil || head != commit {
		return false
	}
	changes, err := git.Run(ctx, tree, "status", "--porcelain", "--ignored", "--untracked-files=all")
	return err == nil && changes == ""
}

// pruneCheckouts removes the checkouts that were last used before the given time. What
// cannot be removed now is tried again at the next checkout.
func pruneCheckouts(home string, before time.Time) {
	entries, _ := os.ReadDir(home)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && info.ModTime().Before(before) {
			_ = os.RemoveAll(filepath.Join(home, e.Name()))
		}
	}
}

// forgetWorktrees removes the worktrees in home from the user's repository: earlier
// versions of hone registered their checkouts there. home holds nothing but hone's own
// checkouts, so no worktree of the user is touched.
func forgetWorktrees(ctx context.Context, repo, home string) {
	known, _ := git.Run(ctx, repo, "worktree", "list", "--porcelain")
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real // as git writes it
	}
	for _, line := range strings.Split(known, "\n") {
		if tree, found := strings.CutPrefix(line, "worktree "); found && filepath.Dir(tree) == home {
			_, _ = git.Run(ctx, repo, "worktree", "remove", "--force", "--force", tree)
		}
	}
}
