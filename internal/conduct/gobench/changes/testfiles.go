package changes

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
)

// Tests are how the tests of a package differ between the sides.
type Tests struct {
	Files   []string
	sources [2]*testSource // nil where they cannot be read
	known   map[string][]string
	inputs  changedDeps
}

// CompareTests finds the test files that differ, and the packages that only tests import. tests is the package on the
// sides whose tests the sides are built with: one for both with --tests; found is the package itself. It reads nothing
// where both sides are one directory.
func CompareTests(found, tests [2]sources.Listed, built [2]Deps) (c Tests, err error) {
	if found[0].Dir == found[1].Dir {
		return c, nil
	}
	c.inputs = changedDeps{changedInputs(built[0].testOnly(found[0].ImportPath),
		built[1].testOnly(found[1].ImportPath)), built[1], found[1]}
	var files [2]map[string]string
	for side, l := range tests {
		if files[side], err = testFiles(l); err != nil {
			return c, err
		}
	}
	for name, old := range files[0] {
		now, there := files[1][name]
		if !there {
			c.Files = append(c.Files, name+" (only on side A)")
		} else if same, err := sameFile(old, now); err != nil {
			return c, err
		} else if !same {
			c.Files = append(c.Files, name)
		}
	}
	for name := range files[1] {
		if _, there := files[0][name]; !there {
			c.Files = append(c.Files, name+" (only on side B)")
		}
	}
	slices.Sort(c.Files)
	if len(c.Files)+len(c.inputs.files) == 0 {
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
func testFiles(l sources.Listed) (map[string]string, error) {
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

// Behind says what a benchmark is made of that differs between the sides: declarations of
// the test files, and data files that these name. name is as go test prints it, without
// Benchmark in front. If the sources cannot be read, every file that differs counts.
func (c *Tests) Behind(name string) []string {
	switch {
	case len(c.Files)+len(c.inputs.files) == 0:
		return nil
	case c.sources[0] == nil || c.sources[1] == nil:
		return append(slices.Clone(c.Files), c.inputs.behind("", "")...)
	}
	function := benchtext.FunctionOf(name)
	changed, known := c.known[function]
	if !known {
		changed = c.behindFunction(function)
		c.known[function] = changed
	}
	return changed
}

func (c *Tests) behindFunction(function string) []string {
	changed := changedBehind(c.sources[0], c.sources[1], function)
	source := ""
	for _, s := range c.sources {
		for _, d := range s.behind(function) {
			source += d.text
		}
	}
	for _, file := range c.Files {
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

// IsData says whether a file of a package's tests, as ChangedTests names it, is not compiled.
func IsData(file string) bool {
	name, _, _ := strings.Cut(file, " (only on side ")
	return !strings.HasSuffix(name, "_test.go")
}
