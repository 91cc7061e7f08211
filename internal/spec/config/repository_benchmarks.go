package config

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// benchmarksIn is how many benchmark functions a test file has that this system's builds take.
func benchmarksIn(path string) (n int) {
	text := readSome(path, 1<<20)
	dir, name := filepath.Split(path)
	if !strings.Contains(text, "func Benchmark") {
		return 0
	}
	if match, err := build.Default.MatchFile(dir, name); err != nil || !match {
		return 0
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
	if err != nil {
		return 0
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && isBenchmark(f) {
			n++
		}
	}
	return n
}

// isBenchmark says whether go test takes a function for a benchmark.
func isBenchmark(f *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(f.Name.Name, "Benchmark")
	first, _ := utf8.DecodeRuneInString(rest)
	if !ok || f.Recv != nil || unicode.IsLower(first) || f.Type.Results != nil || len(f.Type.Params.List) != 1 {
		return false
	}
	pointer, ok := f.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	named, ok := pointer.X.(*ast.SelectorExpr)
	return ok && named.Sel.Name == "B"
}
