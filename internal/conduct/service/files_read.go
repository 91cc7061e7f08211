package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/sys/fileopens"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/paths"
)

// filesRead finds which of the files that differ between two versions, and are not compiled, the variants read.
type filesRead struct {
	names []string  // from the root of the repository
	roots [2]string // where the files of each variant lie that it finds in its directory
	read  map[string]bool
}

// filesThatDiffer finds the files that the variants may read, of those that differ.
func (m *services) filesThatDiffer(ctx context.Context) (*filesRead, error) {
	a, b := m.sides[0].Binary, m.sides[1].Binary
	names, err := build.DifferingFiles(ctx, m.WorkDir, a, b)
	if err != nil || len(names) == 0 {
		return &filesRead{}, err
	}
	f := &filesRead{names: names, read: map[string]bool{}}
	for i, s := range m.sides {
		if f.roots[i] = s.home.Root; f.roots[i] == "" {
			if f.roots[i], err = git.Run(ctx, m.WorkDir, "rev-parse", "--show-toplevel"); err != nil {
				return nil, fmt.Errorf("find the root of %s: %w", m.WorkDir, err)
			}
		}
	}
	for _, name := range names {
		if f.onlyOne(name) && (mentions(a, name) || mentions(b, name)) {
			f.read[name] = true // it may ask whether the file is there
		}
	}
	return f, nil
}

// onlyOne says that one variant has a file, and the other has not.
func (f *filesRead) onlyOne(name string) bool {
	_, a := os.Lstat(filepath.Join(f.roots[0], name))
	_, b := os.Lstat(filepath.Join(f.roots[1], name))
	return (a == nil) != (b == nil)
}

// mentions says whether a binary holds the name of a file, as one that opens it by its name does; true where the binary
// cannot be read.
func mentions(b *build.Binary, name string) bool {
	text, err := os.ReadFile(b.Path)
	return err != nil || bytes.Contains(text, []byte(path.Base(name)))
}

// readBy are the files that one variant finds.
type readBy struct {
	*filesRead
	side int
}

func (f *filesRead) of(side int) readBy { return readBy{f, side} }

// watch begins to watch what the variant opens. end notes what it has opened. Of a file that only one variant has, the
// list of the files of its directory counts, too. Where the system cannot tell, all may be read.
func (f readBy) watch() (end func() error, err error) {
	if f.filesRead == nil {
		return func() error { return nil }, nil
	}
	watched := map[string][]string{} // names by paths
	for _, name := range f.names {
		file := filepath.Join(f.roots[f.side], filepath.FromSlash(name))
		watched[file] = append(watched[file], name)
		if f.onlyOne(name) {
			dir := filepath.Dir(file)
			for !paths.IsDirectory(dir) && len(dir) > len(f.roots[f.side]) {
				dir = filepath.Dir(dir)
			}
			watched[dir] = append(watched[dir], name)
		}
	}
	w, err := fileopens.New(slices.Sorted(maps.Keys(watched)))
	if errors.Is(err, errors.ErrUnsupported) {
		f.note(f.names)
		return func() error { return nil }, nil
	}
	if err != nil {
		return nil, err
	}
	return func() error {
		opened, err := w.Opened()
		for _, path := range opened {
			f.note(watched[path])
		}
		return errors.Join(err, w.Close())
	}, nil
}

func (f *filesRead) note(names []string) {
	for _, name := range names {
		f.read[name] = true
	}
}

// hidden names the files that are read, or may be.
func (f *filesRead) hidden() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(f.read)) {
		all = append(all, "the file "+name)
	}
	return all
}
