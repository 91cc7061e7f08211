package optimise

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/bench/corpus"
)

// base makes a clone with the files before the merged commit.
func (t task) base(ctx context.Context, clones corpus.Clones, dir string) error {
	if err := clones.Share(ctx, t.Repo, dir); err != nil {
		return err
	}
	_, err := corpus.Git(ctx, dir, "", "checkout", "--quiet", "--detach", t.Base())
	return err
}

// forAgent makes the tree that an agent works in: the files of the base in a new repository of one commit, so that no
// history has the answer.
func (t task) forAgent(ctx context.Context, clones corpus.Clones, dir string) error {
	if err := t.base(ctx, clones, dir); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
		return fmt.Errorf("take the history away: %w", err)
	}
	for _, step := range [][]string{{"init", "--quiet"}, {"add", "--force", "--all"}} {
		if _, err := corpus.Git(ctx, dir, "", step...); err != nil {
			return err
		}
	}
	return corpus.Commits(ctx, dir, "The code to make faster")
}

// merged is the patch of a commit, for which it makes trees in dir.
func merged(ctx context.Context, clones corpus.Clones, c corpus.Commit, dir string) (base string, p patch, err error) {
	trees, err := clones.CheckOut(ctx, c, dir)
	if err != nil {
		return "", p, err
	}
	p, err = ofCommit(ctx, trees[1], c.Base())
	return trees[0], p, err
}

// merge puts the merged commit on top of an agent's tree.
func (j job) merge(ctx context.Context) error {
	dir, err := os.MkdirTemp(j.Dir, "merged-")
	if err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	_, p, err := merged(ctx, j.clones, j.task.Commit, dir)
	if err != nil {
		return err
	}
	_, err = corpus.Git(ctx, j.dir, string(p.text), "apply", "--whitespace=nowarn", "-")
	return err
}

// takeBranch puts the files of the newest branch of a pattern into the working tree; none leaves it as it is.
func takeBranch(ctx context.Context, dir, pattern string) error {
	text, err := corpus.Git(ctx, dir, "", "branch", "--list", pattern, "--sort=-committerdate",
		"--format=%(refname:short)")
	if err != nil {
		return err
	}
	branch, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if branch == "" {
		return nil
	}
	_, err = corpus.Git(ctx, dir, "", "checkout", "--quiet", "--force", "--detach", branch)
	return err
}
