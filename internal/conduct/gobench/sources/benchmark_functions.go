package sources

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// BenchmarkFunctions are those of the test files of one package clause.
type BenchmarkFunctions struct {
	Package    string   // its name
	Benchmarks []string // names of functions, sorted
}

// BenchmarksIn finds the package name and the benchmark functions of test files, as go
// test finds them (cmd/go/internal/load/test.go).
func BenchmarksIn(dir string, names []string) (f BenchmarkFunctions, err error) {
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
	if !ok || rest != "" && unicode.IsLower(first) || fn.Recv != nil || fn.Type.TypeParams != nil ||
		fn.Type.Results != nil ||
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
