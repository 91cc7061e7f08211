package git

import (
	"context"

	"github.com/gohone/hone/internal/text/fail"
)

// TreeOf is the hash of the tree of a commit: that of all its files, whoever committed them, and when.
func TreeOf(ctx context.Context, dir, commit string) (string, error) {
	return Run(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", commit+"^{tree}")
}

// Origin is the address of the remote origin of the repository around dir; empty where there is none.
func Origin(ctx context.Context, dir string) string {
	c, err := readConfig(ctx, dir)
	if err != nil {
		return ""
	}
	return c.first("remote.origin.url")
}

// FetchCommits makes a repository in dir, which is empty, with some commits of a remote: by HTTPS or SSH alone, since
// the address may be a stranger's. Nothing of the user's repositories is written to.
func FetchCommits(ctx context.Context, dir, remote string, commits ...string) error {
	if _, err := Run(ctx, dir, "init", "--quiet", "--template=", "."); err != nil {
		return err
	}
	args := append([]string{"fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--depth=1", "--", remote},
		commits...)
	if _, err := runWith(ctx, dir, always, "", []string{"GIT_ALLOW_PROTOCOL=https:ssh"}, args...); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fail.New(fail.Environment, "fetch %s: %w", remote, withoutPasswords(err, remote)).
			WithHint("fetch the commits yourself, and start hone in that repository: git fetch %s", remote)
	}
	return nil
}

// Trees is TreeOf for many commits of the repository around dir, each asked for once; "" where it is not known.
func Trees(ctx context.Context, dir string) func(commit string) string {
	known := map[string]string{}
	return func(commit string) string {
		if commit == "" {
			return ""
		}
		tree, ok := known[commit]
		if !ok {
			tree, _ = TreeOf(ctx, dir, commit)
			known[commit] = tree
		}
		return tree
	}
}
