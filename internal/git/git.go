// Package git runs git in repositories that nobody vouches for: nothing that a
// repository's own configuration names is run, and the user's index is not rewritten.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/fail"
)

// safe are the settings that keep git from running hooks and monitors.
var safe = [][2]string{{"core.hooksPath", "/dev/null"}, {"core.fsmonitor", "false"}}

// Run runs one git command in dir and returns its output without the last newline. The
// error has git's own words; it is fail.Environment where there is no git, and ctx's own
// when ctx is done.
func Run(ctx context.Context, dir string, args ...string) (string, error) {
	var options []string
	for _, s := range safe {
		options = append(options, "-c", s[0]+"="+s[1])
	}
	cmd := exec.CommandContext(ctx, "git", append(options, args...)...)
	cmd.Dir, cmd.Env = dir, environment()
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

// environment is hone's own without what git sets for its hooks: when hone runs in a hook,
// GIT_DIR would point every git at that repository. Optional locks are off, so that looking
// does not rewrite the user's index.
func environment() []string {
	local := []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"}
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		key, _, _ := strings.Cut(entry, "=")
		return slices.Contains(local, key)
	})
	return append(env, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
}

// Safety are the settings of an environment that make the git that another program runs,
// such as go build to stamp the commit, as safe as Run (git-config, "GIT_CONFIG_COUNT").
func Safety() []string {
	n, err := strconv.Atoi(os.Getenv("GIT_CONFIG_COUNT"))
	if err != nil || n < 0 {
		n = 0
	}
	var env []string
	for i, s := range safe {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n+i, s[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n+i, s[1]))
	}
	return append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n+len(safe)), "GIT_OPTIONAL_LOCKS=0")
}

// CommitOf returns the commit of the work tree that dir is in, and whether the tree
// differs from it. Without git, outside a repository and before the first commit: "".
func CommitOf(ctx context.Context, dir string) (commit string, dirty bool) {
	commit, err := Run(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		return "", false
	}
	changes, err := Run(ctx, dir, "status", "--porcelain")
	return commit, err != nil || changes != ""
}

// FindCommit returns the commit that ref names in the repository around dir, or
// fail.BadInput with the newest names that there are.
func FindCommit(ctx context.Context, dir, ref string) (string, error) {
	if ref != "" && !strings.HasPrefix(ref, "-") {
		commit, err := Run(ctx, dir, "rev-parse", "--verify", "--quiet", ref+"^{commit}")
		var known *fail.Error
		if err == nil || ctx.Err() != nil || errors.As(err, &known) {
			return commit, err
		}
	}
	refs, _ := Run(ctx, dir, "for-each-ref", "--sort=-creatordate", "--format=%(refname:short)", "refs/heads", "refs/tags")
	return "", fail.New(fail.BadInput, "git ref %q does not exist in the repository of %s", ref, dir).
		WithHint("branches and tags: %s (a shallow clone lacks older commits: git fetch --unshallow)", someOf(strings.Fields(refs)))
}

// someOf joins up to ten names, and says how many more there are.
func someOf(names []string) string {
	const most = 10
	switch n := len(names); {
	case n == 0:
		return "none"
	case n > most:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], " "), n-most)
	}
	return strings.Join(names, " ")
}
