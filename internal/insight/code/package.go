package code

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
)

// Package is a package of the user's, with its types. Packages of the user's module are known to each other; of
// all others only the names are.
type Package struct {
	fset  *token.FileSet
	files map[string]*ast.File // by the name that profiles have for them
	info  *types.Info
	types *types.Package
	// runs are the functions that the CPU profile sees, entered those of them of which it sees more than function
	// literals; nil before they were looked for.
	runs, entered map[*ast.FuncDecl]bool
	named         *bool                          // see NamesFields
	declared      map[types.Object]*ast.FuncDecl // see calledBy
}

// builds says whether a file is of the package in a build for this machine, by its name and its constraints.
func builds(name string, text []byte) bool {
	if strings.HasSuffix(name, "_test.go") || path.Ext(name) != ".go" {
		return false
	}
	c := build.Default
	c.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(string(text))), nil }
	match, err := c.MatchFile(path.Dir(name), path.Base(name))
	return match || err != nil
}

// with is the package and one file more.
func (p *Package) with(t *Tree, name string, text []byte) *Package {
	more := &Package{fset: p.fset, files: map[string]*ast.File{}}
	maps.Copy(more.files, p.files)
	more.parse(name, text)
	more.check(t, path.Dir(name))
	return more
}

func (p *Package) parse(name string, text []byte) {
	if file, err := parser.ParseFile(p.fset, name, text, parser.SkipObjectResolution); err == nil {
		p.files[name] = file
	}
}

// check finds the types.
func (p *Package) check(t *Tree, dir string) {
	p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	if len(p.files) == 0 {
		return
	}
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		files = append(files, p.files[name])
	}
	conf := types.Config{Importer: &importer{tree: t, dir: dir}, Error: func(error) {}, FakeImportC: true,
		Sizes: types.SizesFor("gc", "amd64")}
	p.types, _ = conf.Check(dir, p.fset, files, p.info) // it fails wherever a package of others is meant
}

// importer gives a package those of the user's module. Others it gives without contents.
type importer struct {
	tree *Tree
	dir  string // of the package that imports
}

var _ types.Importer = &importer{}

// Import implements types.Importer.
func (i *importer) Import(name string) (*types.Package, error) {
	if i.tree != nil {
		if dir := i.tree.directoryOf(name); dir != "" && dir != i.dir {
			if p := i.tree.PackageIn(dir); p.types != nil {
				return p.types, nil
			}
		}
	}
	p := types.NewPackage(name, name[strings.LastIndexByte(name, '/')+1:])
	p.MarkComplete()
	return p, nil
}

// MarkRunning notes once which functions are seen to run under load, and whether more of them than their function
// literals.
func (p *Package) MarkRunning(each func(runs func(fn *ast.FuncDecl, entered bool))) {
	if p.runs != nil {
		return
	}
	p.runs, p.entered = map[*ast.FuncDecl]bool{}, map[*ast.FuncDecl]bool{}
	each(func(fn *ast.FuncDecl, entered bool) {
		p.runs[fn] = true
		p.entered[fn] = p.entered[fn] || entered
	})
}

// declarations are all of the package.
func (p *Package) declarations(visit func(ast.Decl)) {
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		for _, d := range p.files[name].Decls {
			visit(d)
		}
	}
}
