package gobench

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/fail"
)

// sink writes the results of one side as they come, in the format of go test: what was
// measured before a failure is kept.
type sink struct {
	file *os.File
	w    *benchfmt.Writer
}

// newSink creates the file, and its directory. What stands in it behind # is for people;
// readers of the format pass it over.
func newSink(path string, s *Side) (*sink, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, storageError(path, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, storageError(path, err)
	}
	dirty := ""
	if s.Dirty {
		dirty = ", changed since"
	}
	_, err = fmt.Fprintf(f, "# hone bench: side %s: %s, commit %s%s, %s\nUnit %s better=lower\n", s.Name, s.Label, orNone(s.Commit), dirty, s.GoVersion, cpuUnit)
	if err != nil {
		f.Close()
		return nil, storageError(path, err)
	}
	return &sink{file: f, w: benchfmt.NewWriter(f)}, nil
}

func (s *sink) add(r *benchfmt.Result) error {
	if err := s.w.Write(r); err != nil {
		return storageError(s.file.Name(), err)
	}
	return nil
}

func (s *sink) close() error {
	if err := s.file.Close(); err != nil {
		return storageError(s.file.Name(), err)
	}
	return nil
}

func storageError(path string, err error) error {
	return fail.New(fail.Storage, "write results to %s: %w", path, err).
		WithHint("name other files with --out-a and --out-b, or -o")
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
