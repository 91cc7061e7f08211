package code

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/prof"
)

// Tree is the source of the user's module, as far as it can be read, by the names that profiles have for its files.
type Tree struct {
	// Code says which functions are the user's.
	Code prof.Code
	// ModuleDir is where the user's module was when the program was built.
	ModuleDir string
	// Source returns the text of a file that a profile names; nil where there is none. Siblings names the files of a
	// directory that Source knows; nil where that is not known.
	Source   func(file string) ([]byte, error)
	Siblings func(dir string) []string

	named    []namedFile // in the order in which they were named
	files    map[string]*File
	packages map[string]*Package // by directory
}

// namedFile is a file of the user's that a profile names, and the package of its functions.
type namedFile struct{ pkg, file string }

// Note notes that a profile names a file of the user's, for functions of a package.
func (t *Tree) Note(pkg, file string) {
	if one := (namedFile{pkg, file}); file != "" && !slices.Contains(t.named, one) {
		t.named = append(t.named, one)
	}
}

// ReadFrom makes the texts of files, by their names, all that is known of the source.
func (t *Tree) ReadFrom(files map[string][]byte) {
	t.Source = func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return text, nil
		}
		return nil, fmt.Errorf("%s was not recorded", name)
	}
	t.Siblings = func(dir string) (names []string) {
		for name := range files {
			if path.Dir(name) == dir {
				names = append(names, name)
			}
		}
		return names
	}
}

// File returns the file that a profile names; one without contents if it is not found.
func (t *Tree) File(name string) *File {
	if f, ok := t.files[name]; ok {
		return f
	}
	if t.files == nil {
		t.files = map[string]*File{}
	}
	p := t.PackageIn(path.Dir(name))
	f := &File{p, p.files[name]}
	if f.file == nil { // it is of another build, or the package cannot be listed
		if text, known := t.text(name); known {
			p = p.with(t, name, text)
			f = &File{p, p.files[name]}
		}
	}
	t.files[name] = f
	return f
}

// PackageIn is the package in a directory, as profiles name it; one without files if there is none.
func (t *Tree) PackageIn(dir string) *Package {
	if p, ok := t.packages[dir]; ok {
		return p
	}
	if t.packages == nil {
		t.packages = map[string]*Package{}
	}
	p := &Package{fset: token.NewFileSet(), files: map[string]*ast.File{}}
	t.packages[dir] = p // also for a package that imports itself
	for name, text := range t.textsIn(dir) {
		p.parse(name, text)
	}
	p.check(t, dir)
	return p
}

// textsIn are the files of a directory that belong to a build for this machine: the package's, as far as they can be
// listed, and those that the profiles name.
func (t *Tree) textsIn(dir string) map[string][]byte {
	var names []string
	if t.Siblings != nil {
		names = t.Siblings(dir)
	}
	for _, one := range t.named {
		if path.Dir(one.file) == dir {
			names = append(names, one.file)
		}
	}
	slices.Sort(names)
	texts := map[string][]byte{}
	for _, name := range slices.Compact(names) {
		if text, known := t.text(name); known && builds(name, text) {
			texts[name] = text
		}
	}
	return texts
}

// directoryOf is where a package of the user's module is, as profiles name it; empty for packages of others. With
// -trimpath it is the path of the package.
func (t *Tree) directoryOf(pkg string) string {
	rel, ok := strings.CutPrefix(pkg, t.Code.Module)
	if t.Code.Module == "" || !ok || rel != "" && rel[0] != '/' {
		return ""
	}
	for _, one := range t.named {
		own := one.pkg
		if own == "main" {
			own = t.Code.MainPackage
		}
		if root, ok := strings.CutSuffix(path.Dir(one.file), strings.TrimPrefix(own, t.Code.Module)); ok {
			return root + rel
		}
	}
	return ""
}

// text is the text of a file, if it is known.
func (t *Tree) text(name string) ([]byte, bool) {
	if t.Source == nil || name == "" {
		return nil, false
	}
	text, err := t.Source(name)
	return text, err == nil
}

// EachRead visits the files that were looked at, and those of their packages, in the order of their names.
func (t *Tree) EachRead(visit func(name string, text []byte)) {
	var names []string
	for _, p := range t.packages {
		names = slices.AppendSeq(names, maps.Keys(p.files))
	}
	slices.Sort(names)
	for _, name := range names {
		if text, known := t.text(name); known {
			visit(name, text)
		}
	}
}

// Trim is a source path as -trimpath has it: the import path of the package and the name of the file.
func (t *Tree) Trim(file string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	if i := strings.LastIndex(file, "/pkg/mod/"); i >= 0 {
		return file[i+len("/pkg/mod/"):]
	}
	if dir := strings.TrimSuffix(t.ModuleDir, "/"); dir != "" && strings.HasPrefix(file, dir+"/") {
		return path.Join(t.Code.Module, file[len(dir):])
	}
	if i := strings.LastIndex(file, "/src/"); i >= 0 {
		return file[i+len("/src/"):]
	}
	if path.IsAbs(file) {
		return path.Base(file)
	}
	return file
}

// Owns says whether a place is in the user's module.
func (t *Tree) Owns(p Place) bool { return strings.HasPrefix(t.Trim(p.File), t.Code.Module+"/") }

// statementLines is how many lines of a statement are shown.
const statementLines = 4

// Statement is the text of the innermost statement around a line, as far as its block or its function literal; empty if
// there is none.
func (t *Tree) Statement(at Place) string {
	f, line := t.File(at.File), int(at.Line)
	text, known := t.text(at.File)
	if !known {
		return ""
	}
	var inner ast.Node
	f.enclosing(line, func(n ast.Node) {
		switch n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		case ast.Stmt:
			inner = n
		}
	})
	if inner == nil {
		return ""
	}
	from, to := f.line(inner.Pos()), f.line(inner.End())
	ast.Inspect(inner, func(n ast.Node) bool {
		if b, ok := n.(*ast.BlockStmt); ok {
			to = min(to, f.line(b.Lbrace))
		}
		return true
	})
	lines := strings.Split(string(text), "\n")
	lines = lines[from-1 : min(to, from-1+statementLines, len(lines))]
	indent := lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], "\t "))]
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], indent)
	}
	return strings.Join(lines, "\n")
}
