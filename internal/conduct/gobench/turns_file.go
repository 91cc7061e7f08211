package gobench

import (
	"context"
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"
)

// turnsText is the test file that hone adds to a package, so that its test binary stays
// alive and runs a benchmark when it is told to. It reaches benchmarks as the testing
// package does: flags, sub-benchmarks, timers and reported metrics keep their meaning.
//
//go:embed turns_file.go.tmpl
var turnsText string

var turnsTemplate = template.Must(template.New("turns").Parse(turnsText))

// turnEnds begins the last line of an answer.
const turnEnds = "hone-bench-turn-ends"

// turnsTests are the names of the added test functions: in the package itself, and in its
// external tests (package x_test).
var turnsTests = [2]string{"TestHoneBenchTurnsInPackage", "TestHoneBenchTurnsOutside"}

// turnsFile is what the template takes.
type turnsFile struct {
	Package, Test, End string
	Benchmarks         []string // names of functions, sorted
}

// turns says which added test function runs which benchmark function of a test binary; nil
// where the binary has none, and why.
type turns struct {
	testOf map[string]string
	why    string
}

// addTurns writes the files that a test binary takes to stay alive into temp, given the
// package whose tests it has, and returns the overlay that adds them to the package in dir.
// The overlay is empty where it cannot be, and why says the reason.
func addTurns(ctx context.Context, s *builtSide, tests listed, dir, temp string) (added overlay, t turns, err error) {
	if !canLive {
		return added, turns{why: "hone starts no living processes on " + runtime.GOOS}, nil
	}
	if own, err := ownOverlay(ctx, s); err != nil || own {
		return overlay{}, turns{why: "the build flags have an -overlay of their own"}, err
	}
	t.testOf = map[string]string{}
	replace := map[string]string{}
	for i, names := range [][]string{tests.TestGoFiles, tests.XTestGoFiles} {
		f, err := benchmarksIn(tests.Dir, names)
		if err != nil {
			return overlay{}, turns{why: err.Error()}, nil
		}
		if len(f.Benchmarks) == 0 {
			continue
		}
		f.Test, f.End = turnsTests[i], turnEnds
		for _, name := range f.Benchmarks {
			if t.testOf[name] != "" {
				return overlay{}, turns{why: "two packages of the directory have a function " + name}, nil
			}
			t.testOf[name] = f.Test
		}
		// The same name on both sides: it is part of the binary.
		name := fmt.Sprintf("hone_bench_turns_%d_test.go", i)
		path := filepath.Join(temp, name)
		if err := f.write(path); err != nil {
			return overlay{}, turns{}, err
		}
		replace[filepath.Join(dir, name)] = path
	}
	if len(replace) > 0 {
		path, by, err := testingForTurns(ctx, s, temp)
		if err != nil {
			return overlay{}, turns{}, err
		}
		if path != "" {
			replace[path] = by
		}
	}
	return overlay{replace}, t, nil
}

// ownOverlay says whether the user adds files to the build already: go takes the last
// -overlay only.
func ownOverlay(ctx context.Context, s *builtSide) (bool, error) {
	flags, err := goCommand(ctx, s, func(why error) error { return why }, "env", "GOFLAGS")
	return strings.Contains(flags+" "+strings.Join(s.flags, " "), "-overlay"), err
}

func (f turnsFile) write(path string) error {
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = turnsTemplate.Execute(out, f)
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

// benchmarksIn finds the package name and the benchmark functions of test files, as go
// test finds them (cmd/go/internal/load/test.go).
func benchmarksIn(dir string, names []string) (f turnsFile, err error) {
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return f, err
		}
		f.Package = file.Name.Name
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && isBenchmark(fn) {
				f.Benchmarks = append(f.Benchmarks, fn.Name.Name)
			}
		}
	}
	slices.Sort(f.Benchmarks)
	return f, nil
}

// isBenchmark says whether go test takes a function for a benchmark: a name with no small
// letter behind Benchmark, and one parameter, of type *B of some package.
func isBenchmark(fn *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(fn.Name.Name, "Benchmark")
	first, _ := utf8.DecodeRuneInString(rest)
	if !ok || rest != "" && unicode.IsLower(first) || fn.Recv != nil || fn.Type.TypeParams != nil || fn.Type.Results != nil ||
		len(fn.Type.Params.List) != 1 || len(fn.Type.Params.List[0].Names) > 1 {
		return false
	}
	pointer, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch to := pointer.X.(type) {
	case *ast.Ident:
		return to.Name == "B"
	case *ast.SelectorExpr:
		return to.Sel.Name == "B"
	}
	return false
}
