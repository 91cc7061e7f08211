package gobench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/fail"
)

// listed is what is read of go list's answer (go help list).
type listed struct {
	Dir, ImportPath           string
	Module                    *struct{ Path string }
	TestGoFiles, XTestGoFiles []string
	// TestEmbedFiles and XTestEmbedFiles are what //go:embed of the test files names.
	TestEmbedFiles, XTestEmbedFiles []string
	Error                           *struct{ Err string }
}

// key is the package's place in its module: modules of two sides may differ in name.
func (l listed) key() string {
	if l.Module == nil {
		return l.ImportPath
	}
	return strings.TrimPrefix(l.ImportPath, l.Module.Path)
}

// benchmarkFunc is how every benchmark begins in its source.
var benchmarkFunc = regexp.MustCompile(`(?m)^func\s+Benchmark`)

// hasBenchmarks looks into the test files before anything is built.
func (l listed) hasBenchmarks() bool {
	for _, name := range slices.Concat(l.TestGoFiles, l.XTestGoFiles) {
		text, err := os.ReadFile(filepath.Join(l.Dir, name))
		if err != nil || benchmarkFunc.Match(text) {
			return true // what cannot be read, the build will report
		}
	}
	return false
}

// list resolves the patterns on one side. The working tree has to have what is asked
// for; that the older side lacks it is not an error.
func list(ctx context.Context, s *builtSide, r Task) ([]listed, error) {
	args := append([]string{"list", "-e", "-find",
		"-json=Dir,ImportPath,Module,TestGoFiles,XTestGoFiles,TestEmbedFiles,XTestEmbedFiles,Error"}, s.flags...)
	args = append(args, "-buildvcs=false", "--") // without a stamp go runs no git
	out, err := goCommand(ctx, s, func(why error) error {
		return fail.New(fail.BadInput, "list packages of side %s (%s): %w", s.Name, s.Label, why).
			WithHint("run it alone in the same directory: go list %s", strings.Join(r.Packages, " "))
	}, append(args, r.Packages...)...)
	if err != nil {
		return nil, err
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fail.New(fail.Environment, "read answer of go list: %w", err)
		}
		switch {
		case l.Error == nil || l.Dir != "":
			all = append(all, l)
		case s.Name == "B":
			return nil, fail.New(fail.BadInput, "find package %s: %s", l.ImportPath, strings.TrimSpace(l.Error.Err)).
				WithHint("name packages as for go test, for example ./... or ./internal/parse")
		}
	}
}

// pkg is a package that both sides have, with its test binaries once built.
type pkg struct {
	path     string // import path on side B
	found    [2]listed
	binaries [2]program // as the user's flags link them
	recipes  [2]recipe
	layouts  [][2]program // the same, in other orders of their functions
	turns    [2]turns     // how to tell the binaries
	tests    testChanges
	overlays [2]overlay // that the binaries were built with

	unchanged []string // patterns of the benchmarks with the same code on both sides
	hasOthers bool     // beside them
}

// pair matches the packages of both sides. tests is the side whose tests both get, if any. gone are those of A whose
// benchmarks B does not have, as a package or at all.
func pair(a, b []listed, tests string) (both []*pkg, gone []listed, notes []benchmarks.Note) {
	key := listed.key
	if slices.ContainsFunc(b, func(l listed) bool {
		return slices.ContainsFunc(a, func(o listed) bool { return o.ImportPath == l.ImportPath })
	}) {
		key = func(l listed) string { return l.ImportPath }
	}
	old := map[string]listed{}
	for _, l := range a {
		old[key(l)] = l
	}
	without := 0
	for _, l := range b {
		was, there := old[key(l)]
		delete(old, key(l))
		oldHas, has := there && was.hasBenchmarks(), l.hasBenchmarks()
		switch {
		case there && tests == "A":
			has = oldHas
		case there && tests == "B":
			oldHas = has
		}
		switch {
		case !has && !oldHas:
			without++
		case !there:
			notes = append(notes, benchmarks.Note{Package: l.ImportPath,
				Text: "new on side B: nothing to compare with"})
		case !has:
			gone = append(gone, was)
		case !oldHas:
			notes = append(notes, benchmarks.Note{Package: l.ImportPath, Text: "has no benchmarks on side A"})
		default:
			both = append(both, &pkg{path: l.ImportPath, found: [2]listed{was, l}})
		}
	}
	for _, l := range a {
		if _, left := old[key(l)]; left && l.hasBenchmarks() {
			gone = append(gone, l)
		}
	}
	if without > 0 {
		notes = append(notes, benchmarks.Note{Text: fmt.Sprintf("packages without benchmarks: %d", without)})
	}
	return both, gone, notes
}
