package changes

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
)

// testSource is what the test files of a package declare, and what of it each declaration
// uses. It knows only the test files: the code that they test is what is compared.
type testSource struct {
	decls map[string]*decl
	// byName are the keys of declarations by their last name: a method is called by it.
	byName map[string][]string
}

// decl is one function, method, type, variable or group of constants of a test file.
type decl struct {
	what string // for people: BenchmarkJoin (join_test.go:12)
	// text has the tokens without comments, but for directives, and the paths of the imports
	// that are used: layout and comments change nothing.
	text string
	uses map[string]bool // names, of declarations of the test files or of anything else
	typ  bool
}

// readTests reads the test files of a listed package. Those in the package itself and those
// in package x_test have declarations of their own; the latter see the former's too.
func readTests(l sources.Listed) (*testSource, error) {
	s := &testSource{decls: map[string]*decl{}, byName: map[string][]string{}}
	err := errors.Join(s.add("in:", l, l.TestGoFiles), s.add("ex:", l, l.XTestGoFiles))
	return s, err
}

// add reads the test files of one package clause.
func (s *testSource) add(kind string, l sources.Listed, names []string) error {
	fset, texts := token.NewFileSet(), map[string][]byte{}
	var files []*ast.File
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(l.Dir, name))
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("read test files of %s: %w", l.ImportPath, err)
		}
		files, texts[name] = append(files, file), text
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	// Whatever is not declared in the test files is an error here, and of no interest.
	config := types.Config{Importer: noImports{}, Error: func(error) {}, FakeImportC: true}
	_, _ = config.Check("tests", fset, files, info)
	r := declReader{source: s, kind: kind, fset: fset, texts: texts, info: info, module: l.ModulePath()}
	for _, f := range files {
		for _, d := range f.Decls {
			r.read(d)
		}
	}
	return nil
}

// noImports leaves every import unknown.
type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("%s is not read", path)
}

// declReader reads the declarations of one package clause.
type declReader struct {
	source *testSource
	kind   string
	fset   *token.FileSet
	texts  map[string][]byte
	info   *types.Info
	module string
}

func (r declReader) read(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		r.keep(receiverOf(d), d.Name.Name, d, d.Doc, false)
	case *ast.GenDecl:
		if d.Tok == token.CONST { // of which one may depend on its place by iota
			r.keepAll(d, d.Doc)
			return
		}
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				r.keep("", spec.Name.Name, spec, d.Doc, true)
			case *ast.ValueSpec:
				doc := spec.Doc
				if doc == nil {
					doc = d.Doc
				}
				for _, name := range spec.Names {
					r.keep("", name.Name, spec, doc, false)
				}
			}
		}
	}
}

func (r declReader) keepAll(d *ast.GenDecl, doc *ast.CommentGroup) {
	for _, spec := range d.Specs {
		for _, name := range spec.(*ast.ValueSpec).Names {
			r.keep("", name.Name, d, doc, false)
		}
	}
}

// receiverOf is the name of a method's type with a dot; "" for a function.
func receiverOf(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	for expr := d.Recv.List[0].Type; ; {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name + "."
		default:
			return "."
		}
	}
}

// keep stores a declaration. Several of one name, as init and _, are one.
func (r declReader) keep(receiver, name string, node ast.Node, doc *ast.CommentGroup, typ bool) {
	key := r.kind + receiver + name
	d := r.source.decls[key]
	if d == nil {
		at := r.fset.Position(node.Pos())
		d = &decl{what: fmt.Sprintf("%s%s (%s:%d)", receiver, name, at.Filename, at.Line), uses: map[string]bool{},
			typ: typ}
		r.source.decls[key] = d
		r.source.byName[name] = append(r.source.byName[name], key)
	}
	imports := map[string]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			r.use(id, d, imports)
		}
		return true
	})
	begin := node.Pos()
	if doc != nil {
		begin = doc.Pos()
	}
	d.text += r.tokens(begin, node.End()) + strings.Join(slices.Sorted(maps.Keys(imports)), " ") + "\n"
}

// use notes what a name stands for: an import, or a declaration of the test files, or
// something unknown, which may be a method or a declaration of the other test files.
func (r declReader) use(id *ast.Ident, d *decl, imports map[string]bool) {
	switch object := r.info.Uses[id].(type) {
	case nil:
		if r.info.Defs[id] == nil {
			d.uses[id.Name] = true
		}
	case *types.PkgName:
		path := object.Imported().Path()
		if r.module != "" { // modules of two sides may differ in name
			path = strings.TrimPrefix(path, r.module)
		}
		imports[object.Name()+"="+path] = true
	case *types.Var:
		if !object.IsField() && object.Parent() == object.Pkg().Scope() {
			d.uses[id.Name] = true
		}
	default:
		d.uses[id.Name] = true
	}
}

// tokens is the source between two positions, without comments that are not directives.
func (r declReader) tokens(begin, end token.Pos) string {
	from, to := r.fset.Position(begin), r.fset.Position(end)
	text := r.texts[from.Filename][from.Offset:to.Offset]
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, nil, scanner.ScanComments)
	b := &strings.Builder{}
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return b.String()
		case tok == token.COMMENT && !strings.HasPrefix(literal, "//go:"):
		case tok == token.SEMICOLON:
			b.WriteString("; ")
		case literal != "":
			b.WriteString(literal + " ")
		default:
			b.WriteString(tok.String() + " ")
		}
	}
}

// always are run before any benchmark.
var always = []string{"in:init", "ex:init", "in:TestMain", "ex:TestMain"}

// behind are the declarations that a benchmark function is made of, by key: itself, what of
// the test files it uses, and what runs before any benchmark. nil if there is no such function.
func (s *testSource) behind(function string) map[string]*decl {
	todo := []string{"in:" + function, "ex:" + function}
	if s.decls[todo[0]] == nil && s.decls[todo[1]] == nil {
		return nil
	}
	found := map[string]*decl{}
	for todo = append(todo, always...); len(todo) > 0; {
		key := todo[0]
		todo = todo[1:]
		d := s.decls[key]
		if d == nil || found[key] != nil {
			continue
		}
		found[key] = d
		for name := range d.uses {
			todo = append(todo, s.visible(key, name)...)
		}
		if d.typ {
			todo = append(todo, s.methods(key)...)
		}
	}
	return found
}

// visible are the declarations that a name in the declaration under a key may mean.
func (s *testSource) visible(key, name string) []string {
	if strings.HasPrefix(key, "ex:") {
		return s.byName[name]
	}
	return slices.DeleteFunc(slices.Clone(s.byName[name]), func(k string) bool { return strings.HasPrefix(k, "ex:") })
}

// methods are those of the type under a key.
func (s *testSource) methods(key string) (keys []string) {
	for k := range s.decls {
		if strings.HasPrefix(k, key+".") {
			keys = append(keys, k)
		}
	}
	return keys
}

// changedBehind says what a benchmark function is made of that is not the same on both
// sides, in the words of B where it is there. What only one side has counts.
func changedBehind(a, b *testSource, function string) (changed []string) {
	was, is := a.behind(function), b.behind(function)
	if was == nil || is == nil {
		return nil
	}
	for key, d := range is {
		if old := was[key]; old == nil || old.text != d.text {
			changed = append(changed, d.what)
		}
	}
	for key, d := range was {
		if is[key] == nil {
			changed = append(changed, d.what+" on side A")
		}
	}
	slices.Sort(changed)
	return slices.Compact(changed)
}
