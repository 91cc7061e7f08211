package gobench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/fail"
)

// git runs one git command in dir and returns its output. Nothing that the repository's
// own configuration names is run, and the user's index is not rewritten.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	safe := []string{"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"}
	cmd := exec.CommandContext(ctx, "git", append(safe, args...)...)
	cmd.Dir, cmd.Env = dir, gitEnv()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case err == nil:
		return strings.TrimSuffix(stdout.String(), "\n"), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return "", fail.New(fail.Environment, "there is no git command in PATH").WithHint("install git, or name a directory with --vs")
	}
	return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
}

// gitEnv leaves out what git sets for its hooks: when hone runs in one, GIT_DIR would
// point every git at that repository.
func gitEnv() []string {
	local := []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"}
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		key, _, _ := strings.Cut(entry, "=")
		return slices.Contains(local, key)
	})
	return append(env, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
}

// commitOf returns the commit of the work tree around dir, and whether the tree differs
// from it; "" outside of repositories.
func commitOf(ctx context.Context, dir string) (commit string, dirty bool) {
	commit, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		return "", false
	}
	changes, err := git(ctx, dir, "status", "--porcelain")
	return commit, err != nil || changes != ""
}

// findCommit returns the commit that a ref names.
func findCommit(ctx context.Context, dir, ref string) (string, error) {
	if !strings.HasPrefix(ref, "-") {
		commit, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", ref+"^{commit}")
		var known *fail.Error
		if err == nil || ctx.Err() != nil || errors.As(err, &known) {
			return commit, err
		}
	}
	refs, _ := git(ctx, dir, "for-each-ref", "--sort=-creatordate", "--count=10", "--format=%(refname:short)", "refs/heads", "refs/tags")
	return "", fail.New(fail.BadInput, "--vs %s: no such git ref in the repository of %s, and no such directory", ref, dir).
		WithHint("branches and tags: %s (a shallow clone lacks older commits: git fetch --unshallow)", strings.Join(strings.Fields(refs), " "))
}

// checkout makes a detached worktree of the commit in a temporary directory. cleanup
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
		_, _ = git(after, dir, "worktree", "remove", "--force", "--force", root)
		_ = os.RemoveAll(temp)
		_, _ = git(after, dir, "worktree", "prune")
	}
	if _, err := git(ctx, dir, "worktree", "add", "--force", "--detach", root, commit); err != nil {
		cleanup()
		if ctx.Err() != nil {
			return "", func() {}, ctx.Err()
		}
		return "", func() {}, fail.New(fail.Environment, "check out %.12s: %w", commit, err)
	}
	return root, cleanup, nil
}
