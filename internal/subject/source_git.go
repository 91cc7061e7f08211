package subject

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/fail"
)

// gitSafety keeps git from running what a repository's own configuration names.
var gitSafety = []string{"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"}

// gitEnv is hone's environment without what git sets for its hooks: when hone runs in
// a hook, GIT_DIR would point every git at that repository. Optional locks are off, so
// that looking does not rewrite the user's index.
func gitEnv() []string {
	local := []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"}
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		key, _, _ := strings.Cut(entry, "=")
		return slices.Contains(local, key)
	})
	return append(env, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
}

// git runs one git command in dir and returns its output without the last newline.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append(slices.Clone(gitSafety), args...)...)
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
		return "", fail.New(fail.Environment, "there is no git command in PATH").WithHint("install git, or name a directory in place of a ref")
	}
	return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
}

// commitOf returns the commit of the work tree that dir is in, and whether the tree
// differs from it. Without git, outside a repository and before the first commit: "".
func commitOf(ctx context.Context, dir string) (commit string, dirty bool) {
	commit, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		return "", false
	}
	changes, err := git(ctx, dir, "status", "--porcelain")
	return commit, err != nil || changes != ""
}

// findCommit returns the commit that ref names in the repository around dir.
func findCommit(ctx context.Context, dir, ref string) (string, error) {
	if ref != "" && !strings.HasPrefix(ref, "-") {
		commit, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", ref+"^{commit}")
		if err == nil {
			return commit, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
	refs, _ := git(ctx, dir, "for-each-ref", "--sort=-creatordate", "--format=%(refname:short)", "refs/heads", "refs/tags")
	return "", fail.New(fail.BadInput, "git ref %q does not exist in the repository of %s", ref, dir).
		WithHint("%s (a shallow clone lacks older commits: git fetch --unshallow)", listHint("branches and tags: ", strings.Fields(refs)))
}

// checkTree returns nil if dir is a directory of the commit; dir is slash-separated,
// "." is the root.
func checkTree(ctx context.Context, repo, ref, commit, dir string) error {
	if dir == "." {
		return nil
	}
	kind, err := git(ctx, repo, "cat-file", "-t", commit+":"+dir)
	if err == nil && kind == "tree" {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	fault := fail.New(fail.BadInput, "there is no directory %q at git ref %q (commit %.12s)", dir, ref, commit)
	for parent := path.Dir(dir); ; parent = path.Dir(parent) {
		tree, lead := commit+":"+parent, "directories in "+ref+":"+parent+": "
		if parent == "." {
			tree, lead = commit, "directories in "+ref+": "
		}
		names, err := git(ctx, repo, "ls-tree", "-d", "--name-only", tree)
		if err == nil || parent == "." {
			return fault.WithHint("%s", listHint(lead, strings.Fields(names)))
		}
	}
}
