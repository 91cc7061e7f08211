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

// mostAlone is how many files that only one variant has are looked for in the binaries; of more all may be read.
const mostAlone = 50

// filesRead finds which of the files that differ between two versions, and are not compiled, the variants read.
type filesRead struct {
	names []string        // from the root of the repository
	alone map[string]bool // those that only one variant has
	roots [2]string       // where the files of each variant lie that it finds in its directory
	read  map[string]bool
}

// filesThatDiffer finds the files that the variants may read, of those that differ.
func (m *services) filesThatDiffer(ctx context.Context) (f *filesRead, err error) {
	f = &filesRead{alone: map[string]bool{}, read: map[string]bool{}}
	f.names, err = build.DifferingFiles(ctx, m.WorkDir, m.sides[0].Binary, m.sides[1].Binary)
	if err != nil || len(f.names) == 0 {
		return f, err
	}
	for i, s := range m.sides {
		if f.roots[i] = s.home.Root; f.roots[i] == "" {
			if f.roots[i], err = git.Run(ctx, m.WorkDir, "rev-parse", "--show-toplevel"); err != nil {
				return nil, fmt.Errorf("find the root of %s: %w", m.WorkDir, err)
			}
		}
	}
	for _, name := range f.names {
		_, a := os.Lstat(filepath.Join(f.roots[0], name))
		_, b := os.Lstat(filepath.Join(f.roots[1], name))
		if (a == nil) != (b == nil) {
			f.alone[name] = true
		}
	}
	for _, s := range m.sides {
		f.lookFor(s.Binary.Path)
	}
	return f, nil
}

// lookFor has a program read those of the files that only one variant has whose name its binary holds: it may ask
// whether they are there, which opens nothing. All of them where the binary cannot be read.
func (f *filesRead) lookFor(binary string) {
	if len(f.alone) == 0 {
		return
	}
	text, err := os.ReadFile(binary)
	for name := range f.alone {
		if err != nil || len(f.alone) > mostAlone || bytes.Contains(text, []byte(path.Base(name))) {
			f.read[name] = true
		}
	}
}

// watch begins to watch what a variant opens. end notes what it has opened. Of a file that only one variant has, the
// list of the files of its directory counts, too. Where the system cannot tell, all may be read.
func (f *filesRead) watch(side int) (end func() error, err error) {
	watched := map[string][]string{} // names by paths
	for _, name := range f.names {
		file := filepath.Join(f.roots[side], filepath.FromSlash(name))
		watched[file] = append(watched[file], name)
		if f.alone[name] {
			dir := filepath.Dir(file)
			for !paths.IsDirectory(dir) && len(dir) > len(f.roots[side]) {
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
