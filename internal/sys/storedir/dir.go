// Package storedir gives access to directories that belong to hone alone, such as .hone.
//
// Such a directory may have come with a repository of unknown origin, and its content may be a
// trap: a symbolic link to the user's documents instead of a
// directory that hone empties, a second name (hard link) of a file that hone overwrites, a
// named pipe that never answers. So all access goes through an os.Root, which does not
// leave the directory, and every part of a name is looked at first: directories and
// regular files that this user owns are used, all else is refused.
//
// Between the check and the use, only users who may write to the directory or to one above it
// can change it. The content of a repository is there before hone starts and does not change.
package storedir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gohone/hone/internal/text/fail"
)

// Dir is an open directory that belongs to hone. Names below it are relative, with slashes.
//
// Its methods fail with kind fail.Untrusted where they meet something that is not hone's
// own, with kind fail.Storage where a file stands instead of a directory or the other way
// round, and else with the error of the system, which the caller explains.
type Dir struct {
	path string
	root *os.Root
}

// Open opens the directory at path. The directory itself must not be a symbolic link;
// those above it may be. The error wraps fs.ErrNotExist if there is nothing.
func Open(path string) (*Dir, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if isLink(info) {
		return nil, linkedHome(path)
	}
	if err := judgeDir(path, info); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	opened, err := root.Lstat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = fail.New(fail.Storage, "open %s: it was replaced at the same time", path).WithHint("repeat the command")
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &Dir{path: path, root: root}, nil
}

// Make is Open, and makes the directory, with mode 0700, and those above it if they are
// not there.
func Make(path string) (*Dir, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, err
		}
	}
	return Open(path)
}

// linkedHome refuses a link instead of the directory: a repository can ship one.
func linkedHome(path string) error {
	refused := fail.New(fail.Untrusted, "%s is a symbolic link%s, and hone does not follow one to its own directory",
		path, leadingTo(path))
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return refused.WithHint("if that is your directory for hone, name it with --ledger %q; if the link came with the "+
			"repository, remove it", real)
	}
	return refused.WithHint("remove the link, or name a directory with --ledger")
}

// Path is the absolute path of the directory, for messages and for programs that open
// files by their path.
func (d *Dir) Path() string { return d.path }

// Join is the absolute path of a name.
func (d *Dir) Join(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// Close closes the directory. Files that were opened stay open.
func (d *Dir) Close() error { return d.root.Close() }
