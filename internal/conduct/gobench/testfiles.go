package gobench

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// testChanges are how the tests of a package differ between the sides.
type testChanges struct {
	files   []string
	sources [2]*testSource // nil where they cannot be read
	known   map[string][]string
	inputs  changedDeps
}

// compareTests finds the test files that differ, and the packages that only tests import. tests is the package on the
// sides whose tests the sides are built with: one for both with --tests. It reads nothing where both sides are one
// directory.
func compareTests(p *pkg, tests [2]listed, built [2]deps) (c testChanges, err error) {
	if p.found[0].Dir == p.found[1].Dir {
		return c, nil
	}
	c.inputs = changedDeps{changedInputs(built[0].testOnly(p.found[0].ImportPath),
		built[1].testOnly(p.found[1].ImportPath)), built[1], p.found[1]}
	var files [2]map[string]string
	for side, l := range tests {
		if files[side], err = testFiles(l); err != nil {
			return c, err
		}
	}
	for name, old := range files[0] {
		now, there := files[1][name]
		if !there {
			c.files = append(c.files, name+" (only on side A)")
		} else if same, err := sameFile(old, now); err != nil {
			return c, err
		} else if !same {
			c.files = append(c.files, name)
		}
	}
	for name := range files[1] {
		if _, there := files[0][name]; !there {
			c.files = append(c.files, name+" (only on side B)")
		}
	}
	slices.Sort(c.files)
	if len(c.files)+len(c.inputs.files) == 0 {
		return c, nil
	}
	c.known = map[string][]string{}
	for side, l := range tests {
		if c.sources[side], err = readTests(l); err != nil {
			c.sources[side] = nil // the compiler says why
		}
	}
	return c, nil
}

// testFiles are the files that the tests of a package are made of, by their slash-separated
// paths in its directory.
func testFiles(l listed) (map[string]string, error) {
	files := map[string]string{}
	for _, name := range slices.Concat(l.TestGoFiles, l.XTestGoFiles, l.TestEmbedFiles, l.XTestEmbedFiles) {
		files[filepath.ToSlash(name)] = filepath.Join(l.Dir, name)
	}
	data := filepath.Join(l.Dir, "testdata")
	err := filepath.WalkDir(data, func(at string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(l.Dir, at)
		files[filepath.ToSlash(name)] = at
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return files, err
}

// sameFile says whether two files have the same content. Of links and other special files
// the kind and the target count.
func sameFile(a, b string) (bool, error) {
	infoA, errA := os.Lstat(a)
	infoB, errB := os.Lstat(b)
	if err := errors.Join(errA, errB); err != nil {
		return false, err
	}
	switch {
	case infoA.Mode().Type() != infoB.Mode().Type():
		return false, nil
	case infoA.Mode()&fs.ModeSymlink != 0:
		toA, errA := os.Readlink(a)
		toB, errB := os.Readlink(b)
		return toA == toB, errors.Join(errA, errB)
	case !infoA.Mode().IsRegular():
		return true, nil
	case infoA.Size() != infoB.Size():
		return false, nil
	}
	return sameContent(a, b)
}

func sameContent(a, b string) (bool, error) {
	fileA, err := os.Open(a)
	if err != nil {
		return false, err
	}
	defer fileA.Close()
	fileB, err := os.Open(b)
	if err != nil {
		return false, err
	}
	defer fileB.Close()
	partA, partB := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		nA, errA := io.ReadFull(fileA, partA)
		nB, errB := io.ReadFull(fileB, partB)
		if !bytes.Equal(partA[:nA], partB[:nB]) {
			return false, nil
		}
		ended := func(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }
		switch {
		case ended(errA) && ended(errB):
			return true, nil
		case errA != nil || errB != nil:
			return false, errors.Join(errA, errB)
		}
	}
}

// behind says what a benchmark is made of that differs between the sides: declarations of
// the test files, and data files that these name. name is as go test prints it, without
// Benchmark in front. If the sources cannot be read, every file that differs counts.
func (c *testChanges) behind(name string) []string {
	switch {
	case len(c.files)+len(c.inputs.files) == 0:
		return nil
	case c.sources[0] == nil || c.sources[1] == nil:
		return append(slices.Clone(c.files), c.inputs.behind("", "")...)
	}
	function := functionOf(name)
	changed, known := c.known[function]
	if !known {
		changed = c.behindFunction(function)
		c.known[function] = changed
	}
	return changed
}

func (c *testChanges) behindFunction(function string) []string {
	changed := changedBehind(c.sources[0], c.sources[1], function)
	source := ""
	for _, s := range c.sources {
		for _, d := range s.behind(function) {
			source += d.text
		}
	}
	for _, file := range c.files {
		plain, _, _ := strings.Cut(file, " (")
		isData := !strings.HasSuffix(plain, "_test.go")
		// A pattern of //go:embed may name a directory.
		if isData && (strings.Contains(source, "//go:embed") || strings.Contains(source, "testdata") ||
			strings.Contains(source, path.Base(plain))) {
			changed = append(changed, file)
		}
	}
	all := ""
	for _, d := range c.sources[1].decls {
		all += d.text
	}
	return append(changed, c.inputs.behind(source, all)...)
}

// functionOf is the function that a benchmark, or sub-benchmark, is in: go test prints
// -GOMAXPROCS behind the name, and a function has no such sign.
func functionOf(name string) string {
	name, _, _ = strings.Cut(name, "/")
	name, _, _ = strings.Cut(name, "-")
	return "Benchmark" + name
}

// changed says what this benchmark is made of that differs between the sides.
func (b *bench) changed() []string {
	if b.pkg == nil { // of a simulation
		return nil
	}
	return b.pkg.tests.behind(b.name)
}

// compareAllTests notes the test files that differ, package by package. With --tests both
// sides have the same; what these import is each side's own.
func (m *measurement) compareAllTests(ctx context.Context, packages []*pkg) error {
	var built [2]deps
	for side, s := range m.sides {
		var paths []string
		given := overlay{}
		for _, p := range packages {
			paths = append(paths, p.found[side].ImportPath)
			if from := m.testsOn(side); from != side {
				o, err := testsOf(p.found[from], p.found[side])
				if err != nil {
					return err
				}
				given = given.and(o)
			}
		}
		flags, err := given.flag(filepath.Join(m.temp, "tests-"+s.Name+".json"), s)
		if err == nil {
			built[side], err = depsOf(ctx, s, flags, paths)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil { // the build says why
			built[side] = nil
		}
	}
	for _, p := range packages {
		var err error
		if p.tests, err = compareTests(p, [2]listed{p.found[m.testsOn(0)], p.found[m.testsOn(1)]}, built); err != nil {
			return err
		}
		if len(p.tests.files) > 0 {
			m.result.ChangedTests = append(m.result.ChangedTests,
				benchmarks.ChangedTests{Package: p.path, Files: p.tests.files})
		}
	}
	return nil
}

// markChanged takes the verdicts and the gates from benchmarks that changed themselves: the
// figures stay, and no word says that B's code made the difference.
func (m *measurement) markChanged() {
	for i := range m.result.Benchmarks {
		out := &m.result.Benchmarks[i]
		for _, b := range m.benches {
			if b.pkg.path == out.Package && b.name == out.Name {
				markChange(out, b.changed())
			}
		}
	}
}

// markChange is markChanged for one benchmark.
func markChange(b *benchmarks.Benchmark, changed []string) {
	if len(changed) == 0 {
		return
	}
	b.Changed = changed
	reason := "between A and B changed: " + strings.Join(changed, ", ")
	for i := range b.Verdicts {
		b.Verdicts[i].Word, b.Verdicts[i].Reason, b.Verdicts[i].Need = benchmarks.ItselfChanged, reason, nil
	}
	for i := range b.Gates {
		b.Gates[i].Outcome, b.Gates[i].Reason = gate.Open, string(benchmarks.ItselfChanged)
	}
}
