package optimise

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/bench/corpus"
)

// checkOut makes a clone with the files before the merged commit, and returns that commit's full name.
func (t task) checkOut(ctx context.Context, clones corpus.Clones, dir string) (base string, err error) {
	if err := clones.Share(ctx, t.Repo, dir); err != nil {
		return "", err
	}
	if _, err := corpus.Git(ctx, dir, "", "checkout", "--quiet", "--detach", t.Base()); err != nil {
		return "", err
	}
	return corpus.Head(ctx, dir)
}

// forAgent makes the tree that an agent works in: the files of the base in a new repository of one commit, so that no
// history has the answer.
func (t task) forAgent(ctx context.Context, clones corpus.Clones, dir string) error {
	if _, err := t.checkOut(ctx, clones, dir); err != nil {
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

// merged puts the files of the merged commit into a tree of its base, without those that are held equal.
func (t task) merged(ctx context.Context, clones corpus.Clones, dir string) error {
	clone, err := clones.Clone(ctx, t.Repo)
	if err != nil {
		return err
	}
	files, err := differ(ctx, clone, t.Base(), t.Commit.Commit)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.held() {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(f.path))
		if f.status == deleted {
			err = os.Remove(path)
		} else {
			err = t.write(ctx, clone, f, path)
		}
		if err != nil {
			return fmt.Errorf("take %s of the merged commit: %w", f.path, err)
		}
	}
	return nil
}

func (t task) write(ctx context.Context, clone string, f file, path string) error {
	text, err := corpus.Git(ctx, clone, "", "cat-file", "blob", t.Commit.Commit+":"+f.path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
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
