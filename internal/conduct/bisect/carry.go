package bisect

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// carryTests gives a directory of one checkout the test files and the test data that the same directory of another
// checkout has, instead of its own. A directory that is not there stays so, which the build says. A commit can hold a
// link in the place of a directory: a path that leaves its checkout is neither read nor written.
func carryTests(from, to *os.Root, dir string) error {
	if _, err := to.Stat(dir); err != nil {
		return ifThere(err)
	}
	own, err := testFiles(to, dir)
	if err != nil {
		return err
	}
	for _, file := range own {
		if err := to.Remove(file); err != nil {
			return err
		}
	}
	theirs, err := testFiles(from, dir)
	if err != nil {
		return err
	}
	for _, file := range theirs {
		if err := copyFile(from, to, file); err != nil {
			return err
		}
	}
	data := path.Join(dir, "testdata")
	if _, err := from.Stat(data); err != nil {
		return ifThere(err)
	}
	if err := to.RemoveAll(data); err != nil {
		return err
	}
	return copyTree(from, to, data)
}

// ifThere drops the error of a file that does not exist, and keeps every other error.
func ifThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// testFiles are the paths of the test files in a directory.
func testFiles(root *os.Root, dir string) (files []string, err error) {
	entries, err := fs.ReadDir(root.FS(), dir)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") && !e.IsDir() {
			files = append(files, path.Join(dir, e.Name()))
		}
	}
	return files, ifThere(err)
}

// copyTree copies a directory. Links in it are copied as links: nothing is written through them.
func copyTree(from, to *os.Root, dir string) error {
	return fs.WalkDir(from.FS(), dir, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return to.Mkdir(name, 0o700)
		case e.Type() == fs.ModeSymlink:
			target, err := from.Readlink(name)
			if err != nil {
				return err
			}
			return to.Symlink(target, name)
		}
		return copyFile(from, to, name)
	})
}

// copyFile copies a file to a place where none is.
func copyFile(from, to *os.Root, name string) error {
	in, err := from.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() {
		return errors.Join(err, fail.New(fail.BadInput, "%s is not a file", name))
	}
	out, err := to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
