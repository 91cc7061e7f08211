package tempdir

import (
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/gohone/hone/internal/sys/filelock"
	"github.com/gohone/hone/internal/sys/fileowner"
)

// sweep removes the leftovers in parent. What it does not understand, or cannot remove, it
// leaves: a sweep never fails.
func sweep(parent string) {
	root, err := os.OpenRoot(parent)
	if err != nil {
		return
	}
	defer root.Close()
	list, err := root.Open(".")
	if err != nil {
		return
	}
	defer list.Close()
	for {
		names, err := list.Readdirnames(1000)
		for _, name := range names {
			if strings.HasPrefix(name, prefix) || strings.HasPrefix(name, plain) {
				_ = sweepOne(root, name)
			}
		}
		if err != nil { // io.EOF, too
			return
		}
	}
}

// sweepOne removes a directory if it is a leftover. Of two sweeps that come together one
// gets the lock, and holds it until the directory is gone. The other one gets it then, of a
// file that has lost its name, which is why the name is looked up once more.
func sweepOne(root *os.Root, name string) error {
	seen, err := root.Lstat(name)
	if err != nil || !seen.IsDir() || seen.Mode().Perm()&0o077 != 0 || !isMine(seen) {
		return err
	}
	dir, err := root.OpenRoot(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	if opened, err := dir.Stat("."); err != nil || !os.SameFile(seen, opened) { // not a link by now
		return err
	}
	lock, err := openMarker(dir, name)
	if err != nil || lock == nil {
		return err
	}
	defer lock.Close()
	if err := filelock.Try(lock); err != nil {
		return err
	}
	if !isMarker(dir, lock) {
		return nil
	}
	return empty(root, dir, name)
}

// openMarker opens the marker of a directory; nil if it has none. The marker is looked at
// before it is opened: to open a pipe would wait for a writer.
func openMarker(dir *os.Root, name string) (*os.File, error) {
	want := content + name
	seen, err := dir.Lstat(marker)
	if err != nil || !seen.Mode().IsRegular() || seen.Size() != int64(len(want)) || !isMine(seen) {
		return nil, err
	}
	lock, err := dir.OpenFile(marker, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	text := make([]byte, len(want))
	if _, err := io.ReadFull(lock, text); err != nil || string(text) != want || !isMarker(dir, lock) {
		lock.Close()
		return nil, err
	}
	return lock, nil
}

// isMarker says whether an open file is what the directory's marker is now, and no link.
func isMarker(dir *os.Root, lock *os.File) bool {
	named, err := dir.Lstat(marker)
	if err != nil {
		return false
	}
	opened, err := lock.Stat()
	return err == nil && os.SameFile(named, opened)
}

// isMine says whether a file is known to belong to the user of this process.
func isMine(info fs.FileInfo) bool {
	owner, known := fileowner.Of(info)
	return known && owner == os.Geteuid()
}
