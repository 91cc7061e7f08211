// Package counters is an instrument that knows nothing of hone: it reads which functions of a module differ between two
// trees by their tokens, writes a counter into each of some functions and into the function literals in them, and reads
// what the counters of a process show. The counters are in a file that the process maps, so that they are there however
// it ends.
package counters

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Function is a function of a module, or a variable of a package with function literals in it.
type Function struct {
	// Dir is the directory of its package, from the root of the module; Package the name of that.
	Dir, Package string
	// Name is NAME or TYPE.NAME, for a variable its name. A second one of the same name (init) has #2 at its end.
	Name string
	// File is its file, from the root of the module; From and To are its lines.
	File     string
	From, To int
	text     string
}

// key tells the functions of a module apart.
func (f Function) key() string { return f.Dir + " " + f.Name }

// Functions are those of a module that a build for this machine has, test files left out, by directory and name. dirs
// are the packages that count, from the root; none for all.
func Functions(root string, dirs []string) ([]Function, error) {
	all := map[string]Function{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipped(root, name, d.Name())
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(rel))
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			len(dirs) > 0 && !slices.Contains(dirs, dir) {
			return nil
		}
		if ok, err := build.Default.MatchFile(filepath.Dir(name), d.Name()); err != nil || !ok {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return add(all, filepath.ToSlash(rel), text)
	})
	if err != nil {
		return nil, fmt.Errorf("read the functions of %s: %w", root, err)
	}
	return sorted(all), nil
}

// OfFile are the functions of one file, whose name is from the root of the module.
func OfFile(file string, text []byte) ([]Function, error) {
	all := map[string]Function{}
	if err := add(all, file, text); err != nil {
		return nil, fmt.Errorf("read the functions of %s: %w", file, err)
	}
	return sorted(all), nil
}

func sorted(all map[string]Function) []Function {
	return slices.SortedFunc(maps.Values(all), func(a, b Function) int { return cmp.Compare(a.key(), b.key()) })
}

// skipped leaves out directories that are not packages of the module.
func skipped(root, name, base string) error {
	if name == root {
		return nil
	}
	_, err := os.Stat(filepath.Join(name, "go.mod"))
	if err == nil || base == "testdata" || base == "vendor" || base[0] == '.' || base[0] == '_' {
		return filepath.SkipDir
	}
	return nil
}

// add adds the functions of a file.
func add(all map[string]Function, file string, text []byte) error {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for name, n := range declared(tree) {
		from, to := set.Position(n.Pos()), set.Position(n.End())
		f := Function{Dir: filepath.ToSlash(filepath.Dir(file)), Package: tree.Name.Name, Name: name, File: file,
			From: from.Line, To: to.Line, text: tokens(text[from.Offset:to.Offset])}
		for i := 2; ; i++ {
			if _, has := all[f.key()]; !has {
				break
			}
			f.Name = fmt.Sprintf("%s#%d", name, i)
		}
		all[f.key()] = f
	}
	return nil
}

// declared yields the functions with a body, and the variables with function literals.
func declared(tree *ast.File) func(yield func(string, ast.Node) bool) {
	return func(yield func(string, ast.Node) bool) {
		for _, d := range tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil && !yield(nameOf(d), d) {
					return
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					v, ok := s.(*ast.ValueSpec)
					if ok && len(bodies(v)) > 0 && !yield(v.Names[0].Name, v) {
						return
					}
				}
			}
		}
	}
}

// nameOf is a function's name, with the type of its receiver before it.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver := ""
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && receiver == "" {
			receiver = id.Name
		}
		return receiver == ""
	})
	return receiver + "." + f.Name.Name
}

// bodies are those of a declaration: its own, and those of the function literals in it.
func bodies(n ast.Node) (all []*ast.BlockStmt) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			all = append(all, n.Body)
		case *ast.FuncLit:
			all = append(all, n.Body)
		}
		return true
	})
	return all
}

// tokens are those of a text of Go, without comments and positions, and without what only lines need: a semicolon or a
// comma in front of a closing bracket.
func tokens(text []byte) string {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(text)), text, nil, 0)
	var all []string
	for {
		_, t, literal := s.Scan()
		switch t {
		case token.EOF:
			return strings.Join(all, "\n")
		case token.SEMICOLON:
			literal = ";" // a new line is one, too
		case token.RBRACE, token.RPAREN, token.RBRACK:
			if n := len(all) - 1; n >= 0 && (all[n] == "; ;" || all[n] == ", ") {
				all = all[:n]
			}
		}
		all = append(all, t.String()+" "+literal)
	}
}

// Change is a function that differs between two trees: A and B have it on their side, nil where there is none.
type Change struct{ A, B *Function }

// Of is the function, of B where B has it.
func (c Change) Of() Function {
	if c.B != nil {
		return *c.B
	}
	return *c.A
}

// Changes are the functions that differ between two trees.
func Changes(a, b []Function) (all []Change) {
	before := map[string]*Function{}
	for i := range a {
		before[a[i].key()] = &a[i]
	}
	for i := range b {
		f := &b[i]
		old := before[f.key()]
		delete(before, f.key())
		if old == nil || old.text != f.text {
			all = append(all, Change{old, f})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(before)) {
		all = append(all, Change{before[key], nil})
	}
	return all
}
