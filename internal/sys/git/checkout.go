package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// Checkout makes a checkout of a commit of the repository around dir, in tree, which must
// not be there or be an empty directory. It is a repository of hone's own that borrows the
// objects: no configuration, no hook and no attribute of the user's repository holds in it,
// and the user's repository does not know it, so there is nothing to be forgotten there when
// hone is killed. The tree can be removed as any directory.
//
// Errors: fail.Environment, with the commit, and with the reason where objects are missing; ctx's own.
func Checkout(ctx context.Context, dir, commit, tree string) error {
	err := checkOut(ctx, dir, commit, tree)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return fail.New(fail.Or(fail.Environment, err), "check out %.12s: %w", commit, err)
}

func checkOut(ctx context.Context, dir, commit, tree string) error {
	if err := borrow(ctx, dir, tree); err != nil {
		return err
	}
	_, err := Run(ctx, tree, "checkout", "--quiet", "--detach", "--force", commit)
	if err == nil {
		return nil
	}
	if config, bad := readConfig(ctx, dir); bad == nil && config.isPartial() {
		return fail.New(fail.Environment, "%w", err).WithHint("this is a partial clone, and hone fetches nothing: "+
			"git worktree add ../other %.12s, and name that directory", commit)
	}
	return err
}

// borrow makes an empty repository in tree that finds the objects of dir's repository
// (gitrepository-layout, "objects/info/alternates").
func borrow(ctx context.Context, dir, tree string) error {
	objects, err := Run(ctx, dir, "rev-parse", "--path-format=absolute", "--git-path", "objects")
	if err != nil {
		return err
	}
	if strings.Contains(objects, "\n") {
		return fail.New(fail.Environment, "the path of the repository has a line break: %q",
			objects)
	}
	format, err := Run(ctx, dir, "rev-parse", "--show-object-format")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(tree, 0o700); err != nil {
		return err
	}
	if _, err := Run(ctx, tree, "init", "--quiet", "--template=", "--initial-branch=main", "--object-format="+format,
		"."); err != nil {
		return err
	}
	info := filepath.Join(tree, ".git", "objects", "info")
	if err := os.MkdirAll(info, 0o700); err != nil {
		return err
	}
	if findOwn() != nil { // commits of patches
		objects += "\n" + ownObjects()
	}
	if err := os.WriteFile(filepath.Join(info, "alternates"), []byte(objects+"\n"), 0o600); err != nil {
		return err
	}
	return copyShallow(ctx, dir, tree)
}

// copyShallow takes over the list of commits whose parents a shallow clone lacks.
func copyShallow(ctx context.Context, dir, tree string) error {
	path, err := Run(ctx, dir, "rev-parse", "--path-format=absolute", "--git-path", "shallow")
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(tree, ".git", "shallow"), text, 0o600)
}

// Unfiltered is a sentence on the files of a checkout that are as they are stored, and not
// what plain git would make of them, since only the configuration of the repository around
// dir has a filter for them; "" for none.
func Unfiltered(ctx context.Context, dir, tree string) (string, error) {
	config, err := readConfig(ctx, dir)
	if err != nil {
		return "", err
	}
	names := config.repositoryFilters()
	var notes []string
	for _, name := range names {
		found, err := Run(ctx, tree, "ls-files", "-z", "--", ":(top,attr:filter="+name+")")
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil { // a name that no attribute can have, or an old git
			found = "unknown\x00"
		}
		if first, _, some := strings.Cut(found, "\x00"); some {
			notes = append(notes,
				fmt.Sprintf("filter %q was not run for %d files (%q): it is set in the repository's own configuration; "+
					"if it is yours, set it in git config --global", name, strings.Count(found, "\x00"), first))
		}
	}
	return strings.Join(notes, "; "), nil
}

// repositoryFilters are the names of the filters that only the repository defines, and that
// change files at a checkout.
func (c *config) repositoryFilters() []string {
	var names []string
	for _, s := range c.repository {
		section, name, variable := s.names()
		if section != "filter" || variable != "smudge" && variable != "process" || s.value == "" {
			continue
		}
		if _, set := c.userValue(s.key); !set {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Submodules are the paths of the submodules in a checkout, slash-separated, from its root. Their
// directories are empty there.
func Submodules(ctx context.Context, tree string) ([]string, error) {
	listed, err := Run(ctx, tree, "ls-files", "--stage", "-z")
	if err != nil {
		return nil, err
	}
	var paths []string
	for entry := range strings.SplitSeq(listed, "\x00") {
		if path, found := strings.CutPrefix(entry, "160000 "); found { // the mode of a commit (git ls-files, OUTPUT)
			_, path, _ = strings.Cut(path, "\t")
			paths = append(paths, path)
		}
	}
	return paths, nil
}
