// Package tempdir makes hone's temporary directories, and removes those that killed hones
// left behind, and nothing else.
//
// Each directory has a marker, a file with a lock (flock) that its hone holds for as long as
// it lives. A directory with a marker whose lock is free is a leftover. A process ID
// would not do: containers that share a /tmp do not see each other's processes, and
// files of the user may have any name. Machines that share a TMPDIR need a file system on
// which flock holds between machines, as on NFS.
package tempdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gohone/hone/internal/sys/filelock"
	"github.com/gohone/hone/internal/text/fail"
)

const (
	// prefix starts the names of the directories. The rest is random and short, since the
	// path of a Unix socket may have about 100 bytes only.
	prefix = "hone-"
	// plain starts those that do not show hone.
	plain = "run-"
	// marker is the file that makes a directory hone's own; unfinished is its name until its
	// lock is held and its content is there.
	marker     = ".hone-lock"
	unfinished = ".hone-lock.new"
	// content is followed by the directory's name: a copy under another name is the user's.
	content = "hone temporary directory, version 1\n" +
		"A later hone removes this directory when no process holds the lock on this file.\n"
)

// Dir is a temporary directory of this process, mode 0700. Remove must be called.
type Dir struct {
	// Path is absolute.
	Path string
	lock *os.File
}

// Make makes a directory in the system's temporary directory (TMPDIR), and removes the
// leftovers there. Errors are of kind fail.Storage.
func Make() (*Dir, error) { return makeDir(prefix) }

// MakePlain does so under a name that does not say whose it is, for programs that would behave otherwise if they knew.
func MakePlain() (*Dir, error) { return makeDir(plain) }

func makeDir(prefix string) (*Dir, error) {
	parent, err := filepath.Abs(os.TempDir())
	if err != nil {
		return nil, makeError(err)
	}
	sweep(parent)
	path, err := os.MkdirTemp(parent, prefix)
	if err != nil {
		return nil, makeError(err)
	}
	lock, err := mark(path)
	if err != nil {
		return nil, makeError(errors.Join(err, os.RemoveAll(path)))
	}
	return &Dir{Path: path, lock: lock}, nil
}

func makeError(err error) error {
	return fail.New(fail.Storage, "make temporary directory: %w", err).
		WithHint("free some space there, or point TMPDIR at another directory")
}

// mark gives a new directory its marker. The marker gets its name when it is complete and
// its lock is held, so a sweep never sees one that is not locked yet. Until then the
// directory has no marker, and a sweep leaves it alone; so does every sweep after a hone
// that was killed right here, which costs one empty directory.
func mark(path string) (lock *os.File, err error) {
	dir, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if lock, err = dir.OpenFile(unfinished, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		return nil, err
	}
	_, err = lock.WriteString(content + filepath.Base(path))
	if err == nil {
		err = filelock.Try(lock)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		err = nil // and no sweep can take the lock either, so it removes nothing
	}
	if err == nil {
		err = dir.Rename(unfinished, marker)
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return lock, nil
}

// Remove removes the directory with all that is in it. That it is gone already is not an error.
func (d *Dir) Remove() error {
	defer d.lock.Close()
	parent, err := os.OpenRoot(filepath.Dir(d.Path))
	if err != nil {
		return unlessGone(err)
	}
	defer parent.Close()
	dir, err := parent.OpenRoot(filepath.Base(d.Path))
	if err != nil {
		return unlessGone(err)
	}
	defer dir.Close()
	return empty(parent, dir, filepath.Base(d.Path))
}

func unlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// empty removes everything in dir, then its marker, then dir itself, which is name in its
// parent. If something cannot be removed the marker stays, and a later sweep tries again.
// Links are removed and not followed.
func empty(parent, dir *os.Root, name string) error {
	list, err := dir.Open(".")
	if err != nil {
		return err
	}
	names, err := list.Readdirnames(-1)
	list.Close()
	for _, n := range names {
		if n != marker {
			err = errors.Join(err, dir.RemoveAll(n))
		}
	}
	if err != nil {
		return err
	}
	if err := unlessGone(dir.Remove(marker)); err != nil { // cleaners of /tmp take old files
		return err
	}
	return parent.Remove(name)
}
