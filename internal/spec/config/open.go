package config

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gohone/hone/internal/text/fail"
)

// Read reads the file at a path. shown is its name in messages, the path itself if
// empty. Errors are fail.BadInput with line and column, or fail.Environment where the
// file cannot be read.
func Read(path, shown string) (*File, error) {
	if shown == "" {
		shown = path
	}
	f := &File{Shown: shown}
	var err error
	if f.Path, err = Resolve(path); err != nil {
		return nil, readError(shown, err)
	}
	f.Dir = filepath.Dir(f.Path)
	if f.Content, err = contentOf(f.Path); err != nil {
		return nil, readError(shown, err)
	}
	doc, err := Parse(shown, f.Content)
	if err != nil {
		return nil, err
	}
	f.Document = *doc
	return f, nil
}

// Resolve makes a path absolute and follows its symbolic links.
func Resolve(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

var errNotRegular = errors.New("it is not a regular file")

// contentOf reads a regular file up to one byte over MaxBytes, which Parse refuses. A
// pipe or a device is never opened for reading: it could block for ever.
func contentOf(path string) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return io.ReadAll(io.LimitReader(file, MaxBytes+1))
}

func readError(shown string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fail.New(fail.BadInput, "there is no %s", shown).WithHint("hone init writes one")
	}
	if errors.Is(err, errNotRegular) {
		return fail.New(fail.BadInput, "read %s: %w", shown, err)
	}
	return fail.New(fail.Environment, "read %s: %w", shown, err)
}

// Find returns the path of the nearest hone.yaml in dir or above, "" if there is none.
// It looks up to the root of the git repository around dir; outside of one, to the
// topmost directory above with a go.mod; outside of a module, in dir alone: what lies
// further up belongs to another project.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fail.New(fail.Environment, "find %s: %w", Name, err)
	}
	root := projectRoot(dir)
	for at := dir; ; at = filepath.Dir(at) {
		path := filepath.Join(at, Name)
		if exists(path) {
			return path, nil
		}
		if at == root {
			return "", nil
		}
	}
}

func projectRoot(dir string) string {
	root := dir
	for at := dir; ; {
		if exists(filepath.Join(at, ".git")) {
			return at
		}
		if exists(filepath.Join(at, "go.mod")) {
			root = at
		}
		up := filepath.Dir(at)
		if up == at {
			return root
		}
		at = up
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
