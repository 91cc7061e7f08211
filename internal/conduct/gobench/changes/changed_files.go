package changes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/sys/git"
)

// mostChangedFiles and mostFiles are how many files may differ, and be looked at: more take longer than it is worth.
const mostChangedFiles, mostFiles = 500, 50_000

// Files are the files that differ between the sides, by slash-separated paths: those that a benchmark may read.
// Beside a checkout, files that git ignores do not count: it has none of them.
// What lies in temp, which is hone's, does not count either.
func Files(ctx context.Context, sides [2]*sources.Side, temp string) (changed []string, err error) {
	a, b := sides[0].Dir, sides[1].Dir
	names := map[string]bool{}
	if root := sides[0].Root; root == "" {
		err = filesIn(b, names)
	} else {
		a = root
		b, err = tracked(ctx, b, names)
	}
	if err = errors.Join(err, filesIn(a, names)); err != nil {
		return nil, err
	}
	for name := range names {
		if sources.IsBelow(temp, filepath.Join(b, name)) || isOwn(strings.SplitN(filepath.ToSlash(name), "/", 2)[0]) {
			continue
		}
		switch same, err := sameFile(filepath.Join(a, name), filepath.Join(b, name)); {
		case err == nil && !same, errors.Is(err, fs.ErrNotExist):
			changed = append(changed, filepath.ToSlash(name))
		case err != nil:
			return nil, err
		}
	}
	if len(changed) > mostChangedFiles {
		return nil, fmt.Errorf("%d files differ", len(changed))
	}
	return changed, nil
}

// tracked adds the files of the repository around a directory that git does not ignore, and returns its root.
func tracked(ctx context.Context, dir string, names map[string]bool) (root string, err error) {
	if root, err = git.Run(ctx, dir, "rev-parse", "--show-toplevel"); err != nil {
		return "", err
	}
	root = filepath.FromSlash(root)
	out, err := git.Run(ctx, root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	for name := range strings.SplitSeq(out, "\x00") {
		if name != "" {
			names[filepath.FromSlash(name)] = true
		}
	}
	return root, err
}

// isOwn says whether a file or directory is of version control, or of hone.
func isOwn(name string) bool { return slices.Contains([]string{".git", ".hg", ".svn", ".hone"}, name) }

// filesIn adds the files of a directory, but for those of version control and of hone.
func filesIn(dir string, names map[string]bool) error {
	return filepath.WalkDir(dir, func(at string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case at != dir && isOwn(e.Name()):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir():
			return nil
		case len(names) >= mostFiles:
			return fmt.Errorf("there are more than %d files", mostFiles)
		}
		name, err := filepath.Rel(dir, at)
		names[name] = true
		return err
	})
}
