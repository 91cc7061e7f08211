// Package outfile writes the files that a user names on the command line.
//
// A file is written under another name beside its place and then renamed. So it is there whole
// or not at all. What had its name is replaced and never written through, be it a symbolic
// link that came with a repository, or a file with a second name elsewhere. Devices and
// pipes, such as /dev/stdout, are written in place.
package outfile

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Private is the mode of files with results: they say much about a service.
const Private fs.FileMode = 0o600

// Write writes the file at path whole or not at all. A new file has the mode, whatever the
// umask is; a file that is replaced hands on its own.
func Write(path string, mode fs.FileMode, write func(io.Writer) error) error {
	if Special(path) {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	dir, name := filepath.Split(path)
	return WriteBelow(cmp.Or(dir, "."), name, mode, write)
}

// WriteBelow writes a file as Write does, by its path below a directory: for a path that a
// repository names. No link on this path leads out of the directory.
func WriteBelow(root, name string, mode fs.FileMode, write func(io.Writer) error) error {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer dir.Close()
	f, temp, err := createSibling(dir, name, mode)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return errors.Join(err, dir.Remove(temp))
	}
	if err := dir.Rename(temp, name); err != nil {
		return errors.Join(err, dir.Remove(temp))
	}
	return nil
}

// Create makes an empty file at path, with the mode as of Write, for results that are kept
// as they come, also if the rest never does.
func Create(path string, mode fs.FileMode) (*os.File, error) {
	if Special(path) {
		return os.OpenFile(path, os.O_WRONLY, 0)
	}
	in, name := filepath.Split(path)
	dir, err := os.OpenRoot(cmp.Or(in, "."))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f, temp, err := createSibling(dir, name, mode)
	if err != nil {
		return nil, err
	}
	if err := dir.Rename(temp, name); err != nil {
		return nil, errors.Join(err, f.Close(), dir.Remove(temp))
	}
	return f, nil
}

// createSibling makes a file of another name in the directory of a path below root.
func createSibling(root *os.Root, path string, mode fs.FileMode) (f *os.File, name string, err error) {
	for { // until the name is free, which the first is
		name = filepath.Join(filepath.Dir(path), ".hone-"+rand.Text())
		f, err = root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return nil, "", err
	}
	info, err := root.Lstat(path)
	if err := f.Chmod(handedOn(info, err, mode)); err != nil {
		return nil, "", errors.Join(err, f.Close(), root.Remove(name))
	}
	return f, name, nil
}

// ModeFor is the mode of what will replace the file at path: its own, or that of a new file
// if there is none.
func ModeFor(path string, mode fs.FileMode) fs.FileMode {
	info, err := os.Lstat(path)
	return handedOn(info, err, mode)
}

func handedOn(was fs.FileInfo, err error, mode fs.FileMode) fs.FileMode {
	if err == nil && was.Mode().IsRegular() {
		return was.Mode().Perm()
	}
	return mode
}

// Special says whether path names something that is written to in place: a device or a pipe,
// or one of the system's own names for an open file (/dev/stdout, /proc/self/fd/1), which
// are links. No other link is followed.
func Special(path string) bool {
	abs, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	if strings.HasPrefix(abs, "/dev/") || strings.HasPrefix(abs, "/proc/") {
		info, err := os.Stat(abs)
		return err == nil && (!info.Mode().IsRegular() || isLink(abs))
	}
	info, err := os.Lstat(abs)
	return err == nil && info.Mode()&(fs.ModeDevice|fs.ModeNamedPipe) != 0
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}
