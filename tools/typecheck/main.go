// Command typecheck checks the types of modules as another system would compile them: typecheck GOOS DIRECTORY...
//
// go vet with GOOS set says the same, but compiles hundreds of packages of others first. Here their function bodies are
// not even read.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: typecheck GOOS DIRECTORY...")
		os.Exit(2)
	}
	code := 0
	for _, dir := range os.Args[2:] {
		found, err := check(os.Args[1], dir)
		if err != nil {
			fmt.Fprintln(os.Stderr, "typecheck:", err)
			code = 1
		}
		for _, e := range found {
			fmt.Fprintln(os.Stderr, e)
			code = 1
		}
	}
	os.Exit(code)
}

// check returns what is wrong with the packages of the module in dir, tests included, on the system goos.
func check(goos, dir string) (found []packages.Error, err error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	all, err := packages.Load(&packages.Config{
		Mode:  packages.LoadAllSyntax,
		Dir:   root,
		Env:   append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off"),
		Tests: true,
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if f != nil && !strings.HasPrefix(name, root+string(filepath.Separator)) {
				dropBodies(f)
			}
			return f, err
		},
	}, "./...")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	for _, p := range all {
		if !strings.HasSuffix(p.ID, ".test") { // its main function is generated
			found = append(found, p.Errors...)
		}
	}
	return found, nil
}

// dropBodies leaves the declarations of a file of others, whose functions no error of ours can be in.
func dropBodies(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}
