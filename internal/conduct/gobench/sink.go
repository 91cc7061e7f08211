package gobench

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/sys/storedir"
	"github.com/gohone/hone/internal/text/fail"
)

// sink writes the results of one side as they come, in the format of go test: what was
// measured before a failure is kept.
type sink struct {
	file *os.File
	w    *benchfmt.Writer
}

// newSink creates the file, and its directory. What stands in it behind # is for people;
// readers of the format pass it over.
func newSink(home, path string, s *sources.Side) (*sink, error) {
	f, err := create(home, path)
	if err != nil {
		return nil, storageError(path, err)
	}
	dirty := ""
	if s.Dirty {
		dirty = ", changed since"
	}
	_, err = fmt.Fprintf(f, "# hone bench: side %s: %s, commit %s%s, %s\nUnit %s better=lower\nUnit %s better=lower\n",
		s.Name, s.Label, cmp.Or(s.Commit, "none"), dirty, s.GoVersion, measure.CPUUnit, measure.InstructionsUnit)
	if err != nil {
		return nil, storageError(path, errors.Join(err, f.Close()))
	}
	return &sink{file: f, w: benchfmt.NewWriter(f)}, nil
}

func create(home, path string) (*os.File, error) {
	if name, inside := nameIn(home, path); inside {
		return createIn(home, name)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return outfile.Create(path, outfile.Private)
}

// nameIn returns the name of a file in the directory of the ledger, if it lies there.
func nameIn(home, path string) (name string, inside bool) {
	if home == "" {
		return "", false
	}
	from, errFrom := filepath.Abs(home)
	to, errTo := filepath.Abs(path)
	rel, err := filepath.Rel(from, to)
	if errors.Join(errFrom, errTo, err) != nil || rel == "." || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// createIn makes a file, and the directories it lies in, below the ledger's. The results of
// an earlier bench give way.
func createIn(home, name string) (*os.File, error) {
	dir, err := storedir.Make(home)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if err := ledger.HideFromGit(dir); err != nil {
		return nil, err
	}
	for i := range len(name) {
		if name[i] == '/' {
			if _, err := dir.Mkdir(name[:i]); err != nil {
				return nil, err
			}
		}
	}
	if _, err = dir.Stat(name); err == nil {
		err = dir.RemoveAll(name)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return dir.Create(name)
}

// checkOut refuses what createIn would refuse, before anything is built.
func (r Task) checkOut() error {
	for _, path := range r.Out {
		if name, inside := nameIn(r.Home, path); inside {
			if err := storageError(path, checkIn(r.Home, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkIn(home, name string) error {
	if err := ledger.CheckOrigin(home); err != nil {
		return err
	}
	dir, err := storedir.Open(home)
	if err == nil {
		defer dir.Close()
		_, err = dir.Stat(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (s *sink) add(r *benchfmt.Result) error { return storageError(s.file.Name(), s.w.Write(r)) }

func (s *sink) close() error { return storageError(s.file.Name(), s.file.Close()) }

// storageError says which file could not be written; nil if err is.
func storageError(path string, err error) error {
	var known *fail.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return fmt.Errorf("write results to %s: %w", path, err)
	}
	return fail.New(fail.Storage, "write results to %s: %w", path, err).
		WithHint("name another file with -o")
}
