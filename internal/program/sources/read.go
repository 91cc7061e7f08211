package sources

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// maxFile bounds what is read of a file; generated Go reaches some MB.
const maxFile = 32 << 20

var errNoSource = fmt.Errorf("no source file of at most %d MB", maxFile>>20)

// extensions are those of the files that the go command compiles, and that profiles name: Go, assembly, C and C++.
var extensions = []string{".go", ".s", ".S", ".sx", ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"}

// isSource says whether a name is that of a source file. All others, such as keys and settings, are never read.
func isSource(name string) bool { return slices.Contains(extensions, filepath.Ext(name)) }

// readIn reads a source file, or the list of the vendored modules, below a directory: no link leads out of it, nor to
// a file that is not source.
func readIn(dir, rel string) ([]byte, error) {
	text, err := readBelow(dir, filepath.FromSlash(rel))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, rel), cause(err))
	}
	return text, nil
}

func readBelow(dir, rel string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if info, err := root.Stat(rel); err != nil || !info.Mode().IsRegular() {
		return nil, cmp.Or(err, errNoSource)
	}
	real, err := filepath.EvalSymlinks(filepath.Join(dir, rel))
	if err != nil {
		return nil, err
	}
	if !isSource(real) && (filepath.ToSlash(rel) != vendorList || filepath.Base(real) != filepath.Base(vendorList)) {
		return nil, errNoSource
	}
	return readOpen(root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0))
}

// readOpen reads a regular file that was opened so that a pipe does not hold up, and closes it.
func readOpen(file *os.File, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, errNoSource
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = errNoSource // it grew, or is one of those whose size is not known before
	}
	return text, err
}

// cause is an error without the path and operation around it.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
