package advice

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

	"github.com/gohone/hone/prof"
)

// sourcePackage is a package of the user's, with its types. Packages of the user's module are known to each other; of
// all others only the names are.
type sourcePackage struct {
	fset  *token.FileSet
	files map[string]*ast.File // by the name that profiles have for them
	info  *types.Info
	types *types.Package
	// runs are the functions that the CPU profile sees, entered those of them of which it sees more than function
	// literals; nil before they were looked for.
	runs, entered map[*ast.FuncDecl]bool
	named         *bool // see namesFields
}

// packageIn is the package in a directory, as profiles name it; one without files if there is none.
func (v *View) packageIn(dir string) *sourcePackage {
	if p, ok := v.packages[dir]; ok {
		return p
	}
	if v.packages == nil {
		v.packages = map[string]*sourcePackage{}
	}
	p := &sourcePackage{fset: token.NewFileSet(), files: map[string]*ast.File{}}
	v.packages[dir] = p // also for a package that imports itself
	for name, text := range v.textsIn(dir) {
		p.parse(name, text)
	}
	p.check(v, dir)
	return p
}

// textsIn are the files of a directory that belong to a build for this machine: the package's, as far as they can be
// listed, and those that the profiles name.
func (v *View) textsIn(dir string) map[string][]byte {
	var names []string
	if v.Siblings != nil {
		names = v.Siblings(dir)
	}
	for _, s := range v.stacks {
		for i := range s.frames {
			if f := &s.frames[i]; f.origin == prof.Own && path.Dir(f.file) == dir {
				names = append(names, f.file)
			}
		}
	}
	slices.Sort(names)
	texts := map[string][]byte{}
	for _, name := range slices.Compact(names) {
		if text, known := v.sourceText(name); known && builds(name, text) {
			texts[name] = text
		}
	}
	return texts
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
func (p *sourcePackage) with(v *View, name string, text []byte) *sourcePackage {
	more := &sourcePackage{fset: p.fset, files: map[string]*ast.File{}}
	maps.Copy(more.files, p.files)
	more.parse(name, text)
	more.check(v, path.Dir(name))
	return more
}

func (p *sourcePackage) parse(name string, text []byte) {
	if file, err := parser.ParseFile(p.fset, name, text, parser.SkipObjectResolution); err == nil {
		p.files[name] = file
	}
}

// check finds the types.
func (p *sourcePackage) check(v *View, dir string) {
	p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	if len(p.files) == 0 {
		return
	}
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		files = append(files, p.files[name])
	}
	conf := types.Config{Importer: &importer{view: v, dir: dir}, Error: func(error) {}, FakeImportC: true,
		Sizes: types.SizesFor("gc", "amd64")}
	p.types, _ = conf.Check(dir, p.fset, files, p.info) // it fails wherever a package of others is meant
}

// importer gives a package those of the user's module. Others it gives without contents.
type importer struct {
	view *View
	dir  string // of the package that imports
}

var _ types.Importer = &importer{}

// Import implements types.Importer.
func (i *importer) Import(name string) (*types.Package, error) {
	if i.view != nil {
		if dir := i.view.directoryOf(name); dir != "" && dir != i.dir {
			if p := i.view.packageIn(dir); p.types != nil {
				return p.types, nil
			}
		}
	}
	p := types.NewPackage(name, name[strings.LastIndexByte(name, '/')+1:])
	p.MarkComplete()
	return p, nil
}

// directoryOf is where a package of the user's module is, as profiles name it; empty for packages of others. With
// -trimpath it is the path of the package.
func (v *View) directoryOf(pkg string) string {
	rel, ok := strings.CutPrefix(pkg, v.Code.Module)
	if v.Code.Module == "" || !ok || rel != "" && rel[0] != '/' {
		return ""
	}
	for _, s := range v.stacks {
		for i := range s.frames {
			f := &s.frames[i]
			if f.origin != prof.Own || f.file == "" {
				continue
			}
			own := f.pkg
			if own == "main" {
				own = v.Code.MainPackage
			}
			if root, ok := strings.CutSuffix(path.Dir(f.file), strings.TrimPrefix(own, v.Code.Module)); ok {
				return root + rel
			}
		}
	}
	return ""
}

// declarations are all of the package.
func (p *sourcePackage) declarations(visit func(ast.Decl)) {
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		for _, d := range p.files[name].Decls {
			visit(d)
		}
	}
}
