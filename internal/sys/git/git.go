// Package git runs git in repositories that are not trusted: nothing that a
// repository's own configuration names is run, nothing is fetched, and the user's
// repository is not written to, but for one branch of data that the user names
// (DataBranch), and a new branch of commits (NewBranch). docs/git.md goes through git's configuration key by key.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// commands are all that hone asks git for, with diff-tree, which says names and hashes only (ChangedFiles,
// TreeChanges), and what makes a commit of a patch in a repository of hone's own (patch.go). They read; none shows a
// difference, a signature or an editor, and so most of what a configuration can execute is out of reach. init and
// checkout run only in directories that hone makes (Checkout), worktree only to forget those of earlier hones. What
// writes a branch is in workplace.go and new_branch.go.
var commands = []string{"cat-file", "check-attr", "checkout", "for-each-ref", "init", "ls-files", "ls-tree",
	"merge-base", "rev-list", "rev-parse", "status", "worktree"}

// Run runs one git command in dir and returns its output without the last newline. The
// error has git's own words; it is fail.Environment where there is no git, and ctx's own
// when ctx is done.
func Run(ctx context.Context, dir string, args ...string) (string, error) {
	if !slices.Contains(commands, args[0]) {
		return "", fmt.Errorf("git %s: hone runs no such command (internal/sys/git, commands)", args[0])
	}
	config, err := readConfig(ctx, dir)
	if err != nil {
		return "", err
	}
	if args[0] == "status" {
		// To see changes within a submodule git runs git there, under the submodule's
		// configuration. Of the settings only this flag overrides .gitmodules.
		args = append([]string{"status", "--ignore-submodules=dirty"}, args[1:]...)
	}
	return runWith(ctx, dir, config.shield(), "", findOwn(), args...)
}

// run runs git under the given settings.
func run(ctx context.Context, dir string, settings []setting, args ...string) (string, error) {
	return runWith(ctx, dir, settings, "", nil, args...)
}

// runWith is run with something to read, and more of an environment.
func runWith(ctx context.Context, dir string, settings []setting, input string, more []string, args ...string) (string,
	error) {
	var stdout bytes.Buffer
	if err := stream(ctx, dir, settings, strings.NewReader(input), &stdout, more, args...); err != nil {
		return "", err
	}
	return strings.TrimSuffix(stdout.String(), "\n"), nil
}

// stream is runWith for input and output as they are.
func stream(ctx context.Context, dir string, settings []setting, input io.Reader, output io.Writer, more []string,
	args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	// Optional locks are off, so that looking does not rewrite the user's index. A missing
	// object is not fetched: older versions of git know the ban on protocols only.
	cmd.Dir, cmd.Env = dir, append(append(environment(), environmentOf(append(settings, noBare))...),
		"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1")
	cmd.Env = append(cmd.Env, more...)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, output, &stderr
	cmd.WaitDelay = waitDelay
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return fail.New(fail.Environment,
			"there is no git command in PATH").WithHint("install git, or name a directory instead of a ref")
	}
	return endOf(args[0], err, strings.TrimSpace(stderr.String()))
}

// waitDelay is how long a git that was ended may still have children that hold its output.
const waitDelay = 5 * time.Second

// environment is hone's own without what git sets for its hooks: when hone runs in a hook,
// GIT_DIR would point every git at that repository.
func environment() []string {
	local := []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX",
		"GIT_OBJECT_DIRECTORY",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_INTERNAL_SUPER_PREFIX",
		"GIT_IMPLICIT_WORK_TREE"}
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		key, _, _ := strings.Cut(entry, "=")
		return slices.Contains(local, key)
	})
}

// CommitOf returns the commit of the work tree that dir is in, and whether the tree
// differs from it. Without git, outside a repository and before the first commit: "".
// Changes within submodules do not count, but other commits of them do; nor does what
// hone keeps in directories named .hone.
func CommitOf(ctx context.Context, dir string) (commit string, dirty bool) {
	commit, err := Run(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		return "", false
	}
	changes, err := Run(ctx, dir, "status", "--porcelain", "--", ":(top)", notHones)
	return commit, err != nil || changes != ""
}

// notHones leaves out hone's own directories, wherever they are in the tree: what hone
// stores there changes nothing that is measured.
const notHones = ":(top,exclude,glob)**/.hone/**"

// Below returns the way from the root of the work tree to dir, which is in it:
// slash-separated, "." in the root.
func Below(ctx context.Context, dir string) (string, error) {
	prefix, err := Run(ctx, dir, "rev-parse", "--show-prefix")
	return path.Clean(prefix), err
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
	refs, _ := Run(ctx, dir, "for-each-ref", "--sort=-creatordate", "--format=%(refname:short)", "refs/heads",
		"refs/tags")
	return "", fail.New(fail.BadInput, "git ref %q does not exist in the repository of %s", ref, dir).
		WithHint("branches and tags: %s (a shallow clone lacks older commits: git fetch --unshallow)",
			someOf(strings.Fields(refs)))
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
