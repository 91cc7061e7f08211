package subject

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
)

// Copies are files that each start gets fresh, in a directory of its own that it runs in: what a program writes there
// is in no file of the user's, and the next start finds the files as they were. The directory is the one for
// DirTemplate.
type Copies struct {
	// From is the directory that Paths begin in; nothing outside of it is copied.
	From string
	// Paths are files and directories, which have the same path in the copy. Links to files are copied as the files.
	Paths []string
}

// Bounds of what is copied for one start.
const (
	mostCopiedBytes = 1 << 30
	mostCopiedFiles = 100_000
)

// CheckCopies says what is wrong with paths to copy, as fail.BadInput.
func CheckCopies(paths []string) error {
	for _, p := range paths {
		if !filepath.IsLocal(filepath.FromSlash(p)) {
			return fail.New(fail.BadInput, "copy %q: it does not lie in the directory that copies are taken from", p).
				WithHint("write a relative path without .., such as testdata/db; --work-dir names another directory to take " +
					"copies from")
		}
	}
	return nil
}

// make copies into an empty directory. Errors are fail.BadInput for what cannot be copied, fail.Storage for a full
// disk and the like.
func (c *Copies) make(into string) error {
	if err := CheckCopies(c.Paths); err != nil {
		return err
	}
	from, err := os.OpenRoot(c.From)
	if err != nil {
		return fail.New(fail.BadInput, "copy files from %s: %w", c.From, err)
	}
	defer from.Close()
	to, err := os.OpenRoot(into)
	if err != nil {
		return fail.New(fail.Storage, "copy files to %s: %w", into, err)
	}
	defer to.Close()
	one := &copying{from: from, to: to, bytes: mostCopiedBytes, files: mostCopiedFiles}
	for _, p := range c.Paths {
		if err := one.tree(path.Clean(filepath.ToSlash(p))); err != nil {
			return copyError(c.From, p, err)
		}
	}
	return nil
}

func copyError(from, named string, err error) error {
	kind, hint := fail.BadInput, "copies are taken from "+from
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		kind, hint = fail.Storage, "free some space there, or point TMPDIR at another directory"
	}
	return fail.New(fail.Or(kind, err), "copy %s for a start: %w", named, err).WithHint("%s", hint)
}

// copying is on its way. No path of it leaves its two roots, links included.
type copying struct {
	from, to *os.Root
	bytes    int64 // that may still come
	files    int
}

// tree copies a file, or a directory with all that is in it.
func (c *copying) tree(name string) error {
	if err := c.to.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	info, err := c.from.Stat(name) // a link that was named itself is followed, inside of the root
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return c.file(name, info)
	}
	return c.directory(name, info)
}

func (c *copying) directory(name string, info fs.FileInfo) error {
	dir, err := c.from.Open(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := c.to.MkdirAll(name, 0o700); err != nil {
		return err
	}
	entries, err := dir.ReadDir(c.files + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmpNames(a, b) })
	for _, e := range entries {
		below := path.Join(name, e.Name())
		info, err := c.from.Lstat(below)
		if err != nil {
			return err
		}
		if info.Mode().Type() == fs.ModeSymlink {
			if info, err = c.from.Stat(below); err != nil {
				return err
			}
			if info.IsDir() {
				return fmt.Errorf("%s is a link to a directory: name that directory itself", below)
			}
		}
		if info.IsDir() {
			err = c.directory(below, info)
		} else {
			err = c.file(below, info)
		}
		if err != nil {
			return err
		}
	}
	return c.to.Chmod(name, info.Mode().Perm()|0o700)
}

func cmpNames(a, b fs.DirEntry) int {
	if a.Name() < b.Name() {
		return -1
	}
	return 1
}

func (c *copying) file(name string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is neither a file nor a directory (%v)", name, info.Mode().Type())
	}
	if c.files--; c.files < 0 {
		return fmt.Errorf("there are over %s files", units.Count(mostCopiedFiles))
	}
	in, err := c.from.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := c.to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, io.LimitReader(in, c.bytes+1))
	if closed := out.Close(); err == nil {
		err = closed
	}
	if c.bytes -= n; err == nil && c.bytes < 0 {
		err = fmt.Errorf("there are over %s", units.Bytes(mostCopiedBytes))
	}
	return err
}
