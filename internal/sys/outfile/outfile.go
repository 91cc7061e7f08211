// Package outfile writes the files that a user names on the command line.
//
// A file is written under another name beside its place and then renamed. So it is there whole
// or not at all. What had its name is replaced and never written through, be it a symbolic
// link that came with a repository, or a file with a second name elsewhere. Devices and
// pipes, such as /dev/stdout, are written in place.
package outfile

import (
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
	f, err := beside(path, mode)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already where all went well
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Create makes an empty file at path, with the mode as of Write, for results that are kept
// as they come, also if the rest never does.
func Create(path string, mode fs.FileMode) (*os.File, error) {
	if Special(path) {
		return os.OpenFile(path, os.O_WRONLY, 0)
	}
	f, err := beside(path, mode)
	if err != nil {
		return nil, err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

// beside makes a file of another name in the directory of path.
func beside(path string, mode fs.FileMode) (*os.File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".hone-*")
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(ModeFor(path, mode)); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

// ModeFor is the mode of what will replace the file at path: its own, or that of a new file
// if there is none.
func ModeFor(path string, mode fs.FileMode) fs.FileMode {
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		return info.Mode().Perm()
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
