package bisect

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// trees are checkouts of commits in a temporary directory. The user's repository does not know of them, and what a
// killed hone leaves the next one removes.
type trees struct {
	dir   string // in the repository
	below string // from its root to dir, slash-separated
	temp  *tempdir.Dir
	kept  []string // hashes of the ends, which stay until the end
	made  []string
	// prepare is called with each commit that was checked out; nil: nothing is done.
	prepare func(ctx context.Context, commit string) error
}

func newTrees(ctx context.Context, dir string) (*trees, error) {
	below, err := git.Below(ctx, dir)
	if err != nil {
		return nil, fail.New(fail.BadInput, "find %s in its repository: %w", dir,
			err).WithHint("run hone inside the repository")
	}
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	return &trees{dir: dir, below: below, temp: temp}, nil
}

// root is where the checkout of a commit is, or will be. All have paths of one length: paths move a program's stack.
func (t *trees) root(commit string) string { return filepath.Join(t.temp.Path, commit) }

// in is the user's directory in the checkout of a commit.
func (t *trees) in(commit string) string {
	return filepath.Join(t.root(commit), filepath.FromSlash(t.below))
}

// checkOut makes sure that there are checkouts of commits. Of others only those that are kept stay.
func (t *trees) checkOut(ctx context.Context, commits ...string) error {
	for _, old := range slices.Clone(t.made) {
		if !slices.Contains(t.kept, old) && !slices.Contains(commits, old) {
			if err := t.discard(old); err != nil {
				return err
			}
		}
	}
	for _, commit := range commits {
		if err := t.ensure(ctx, commit); err != nil {
			return err
		}
	}
	return nil
}

// ensure makes sure that there is a checkout of a commit.
func (t *trees) ensure(ctx context.Context, commit string) error {
	if slices.Contains(t.made, commit) {
		return nil
	}
	if err := git.Checkout(ctx, t.dir, commit, t.root(commit)); err != nil {
		return err
	}
	t.made = append(t.made, commit)
	if t.prepare != nil {
		if err := t.prepare(ctx, commit); err != nil {
			return errors.Join(err, t.discard(commit)) // half prepared, it would be measured the next time
		}
	}
	return nil
}

// discard removes the checkouts of commits.
func (t *trees) discard(commits ...string) error {
	for _, commit := range commits {
		t.made = slices.DeleteFunc(t.made, func(c string) bool { return c == commit })
		if err := os.RemoveAll(t.root(commit)); err != nil {
			return err
		}
	}
	return nil
}

// keep makes the checkouts of commits stay.
func (t *trees) keep(commits ...string) { t.kept = append(t.kept, commits...) }

func (t *trees) remove() error { return t.temp.Remove() }

// packageDirs are the directories of the packages that patterns name in the checkout of a commit, with more flags of go
// list: slash-separated from the root. Packages outside of the checkout are left out.
func (t *trees) packageDirs(ctx context.Context, commit string, env []string, flags []string,
	patterns ...string) ([]string, error) {
	args := slices.Concat([]string{"list", "-f", "{{if not .Standard}}{{.Dir}}{{end}}"}, flags, []string{"--"},
		patterns)
	out, _, err := gocommand.Ask(ctx, env, t.in(commit), args...)
	if err != nil {
		return nil, err
	}
	root, err := filepath.EvalSymlinks(t.root(commit))
	if err != nil {
		return nil, err
	}
	var dirs []string
	for dir := range strings.Lines(string(out)) {
		dir = strings.TrimSuffix(dir, "\n")
		for _, base := range []string{t.root(commit), root} {
			if rel, err := filepath.Rel(base, dir); dir != "" && err == nil && filepath.IsLocal(rel) {
				dirs = append(dirs, filepath.ToSlash(rel))
				break
			}
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs), nil
}

// builtFrom are the directories that packages are built from in either end of a history; nil where go list cannot say.
func (t *trees) builtFrom(ctx context.Context, ends []string, env []string, flags []string,
	patterns ...string) ([]string, error) {
	var all []string
	for _, commit := range ends {
		if err := t.checkOut(ctx, commit); err != nil {
			return nil, err
		}
		dirs, err := t.packageDirs(ctx, commit, env, append([]string{"-deps"}, flags...), patterns...)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, nil // each commit counts then
		}
		all = append(all, dirs...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}
