package reach

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/program/samecode"
)

// source is what the files of a package declare.
type source struct {
	samecode.Package
	functions map[string]*declaration // by name: Total, Cart.Total of both kinds of receivers, init.0
	others    map[string]*declaration // constants, types and variables; all that are called _ are one
	unclear   bool                    // there may be names that are not found here
	linked    map[string]bool         // names that have another one for the linker, by //go:linkname
}

// declaration is a function, or a name of another declaration.
type declaration struct {
	place   Place
	title   string   // as Go users write it: (*Cart).Total
	text    string   // its tokens: neither comments nor lines count
	lines   []string // of a function, each by its tokens
	hasBody bool
	isVar   bool
	isType  bool
	values  []ast.Expr        // of variables
	fills   []samecode.Symbol // uses without those in function literals, of variables
	imports map[string]string // of its file
	isMoved bool              // its lines are those of another file, by //line
	uses    []samecode.Symbol // names of its package, and of those that it imports
}

// linkNames are the directives that give a name of a file another one for the linker.
var linkNames = regexp.MustCompile(`(?m)^//go:linkname (\S+)`)

// addedFile begins the name of a file that hone bench adds to the tests of both sides, by -overlay.
const addedFile = "hone_bench_turns_"

// readSource reads a package. names are the names of packages by their import paths. Files that cannot be read declare
// nothing: what stands there is a function without a place.
func readSource(p samecode.Package, names map[string]string) *source {
	s := &source{Package: p, functions: map[string]*declaration{}, others: map[string]*declaration{},
		linked: map[string]bool{}}
	inits := 0
	for _, path := range p.Files {
		text, err := readFile(path)
		if err != nil {
			s.unclear = s.unclear || !strings.HasPrefix(filepath.Base(path), addedFile)
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			s.unclear = true
			continue
		}
		r := &fileReader{source: s, fset: fset, text: text, imports: importsOf(file, names)}
		s.unclear = s.unclear || r.imports["."] != ""
		for _, link := range linkNames.FindAllSubmatch(text, -1) {
			s.linked[string(link[1])] = true
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := nameOf(d)
				if name == "init" {
					name += "." + strconv.Itoa(inits)
					inits++
				}
				one := r.declare(d, d.Doc)
				one.title, one.hasBody = titleOf(d), d.Body != nil
				one.lines = linesOf(r.textOf(d))
				s.functions[name] = one
			case *ast.GenDecl:
				r.group(d)
			}
		}
	}
	return s
}

// mostSource is how much of a file is read, in bytes. Generated files of services have some MB.
const mostSource = 64 << 20

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, mostSource))
}

// fileReader reads the declarations of one file.
type fileReader struct {
	*source
	fset    *token.FileSet
	text    []byte
	imports map[string]string // paths by the names in the file
}

// importsOf are the import paths of a file by the names that it uses.
func importsOf(file *ast.File, names map[string]string) map[string]string {
	all := map[string]string{}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		switch {
		case err != nil:
		case spec.Name != nil:
			all[spec.Name.Name] = path
		default:
			all[names[path]] = path
		}
	}
	return all
}

// declare reads one declaration; what directives say of it counts, too.
func (r *fileReader) declare(n ast.Node, doc *ast.CommentGroup) *declaration {
	from, to := r.fset.PositionFor(n.Pos(), false), r.fset.PositionFor(n.End(), false)
	d := &declaration{place: Place{filepath.Base(from.Filename), from.Line, to.Line}}
	d.text = directives(doc) + tokens(r.textOf(n))
	d.isMoved = r.fset.Position(n.Pos()) != from
	d.uses = r.namesIn(n, true)
	return d
}

// namesIn are the names that a part of a file uses, of its package and of those that it imports. Those in function
// literals are used when they are called.
func (r *fileReader) namesIn(n ast.Node, literals bool) (all []samecode.Symbol) {
	use := func(path, name string) {
		if s := (samecode.Symbol{Package: path, Name: name}); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && r.imports[x.Name] != "" {
				use(r.imports[x.Name], n.Sel.Name)
			}
		case *ast.Ident:
			use(r.Import, n.Name)
		case *ast.FuncLit:
			return literals
		}
		return true
	})
	return all
}

// textOf is the text of a part of the file.
func (r *fileReader) textOf(n ast.Node) []byte {
	from, to := r.fset.PositionFor(n.Pos(), false), r.fset.PositionFor(n.End(), false)
	return r.text[from.Offset:min(to.Offset, len(r.text))]
}

// group reads constants, types or variables. A constant without a value has that of the one before it, and each its
// number.
func (r *fileReader) group(g *ast.GenDecl) {
	values, uses := "", []samecode.Symbol(nil)
	for i, spec := range g.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			d := r.declare(spec, nil)
			d.isType, r.others[spec.Name.Name] = true, d
		case *ast.ValueSpec:
			d := r.declare(spec, firstOf(spec.Doc, g.Doc))
			if d.isVar = g.Tok == token.VAR; !d.isVar {
				if len(spec.Values) > 0 {
					values, uses = d.text, d.uses
				}
				d.text += " " + values + " " + strconv.Itoa(i)
				d.uses = slices.Concat(d.uses, uses)
			}
			d.values, d.imports, d.fills = spec.Values, r.imports, r.namesIn(spec, false)
			for _, name := range spec.Names {
				if same := r.others[name.Name]; same != nil { // _
					d.text, d.uses = same.text+d.text, slices.Concat(same.uses, d.uses)
					d.values, d.fills = slices.Concat(same.values, d.values), slices.Concat(same.fills, d.fills)
				}
				r.others[name.Name] = d
			}
		}
	}
}

func firstOf(docs ...*ast.CommentGroup) *ast.CommentGroup {
	for _, doc := range docs {
		if doc != nil {
			return doc
		}
	}
	return nil
}

// directives are the lines of a comment that the compiler reads.
func directives(doc *ast.CommentGroup) (all string) {
	if doc == nil {
		return ""
	}
	for _, c := range doc.List {
		if strings.HasPrefix(c.Text, "//go:") {
			all += c.Text + " "
		}
	}
	return all
}

// tokens are the tokens of a text, without comments.
func tokens(text []byte) string {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(text)), text, nil, 0)
	b := &strings.Builder{}
	for {
		_, tok, literal := s.Scan()
		if tok == token.EOF {
			return b.String()
		}
		if tok == token.SEMICOLON { // that of a line's end is written as one
			literal = ";"
		}
		if literal == "" {
			literal = tok.String()
		}
		b.WriteString(literal)
		b.WriteByte(' ')
	}
}

// nameOf is the name of a function, after its receiver's type.
func nameOf(d *ast.FuncDecl) string { return plain(titleOf(d)) }

// titleOf is how Go users write it: (*Cart).Total.
func titleOf(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	pointer := false
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t, pointer = x.X, true
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			if pointer {
				return "(*" + x.Name + ")." + d.Name.Name
			}
			return x.Name + "." + d.Name.Name
		default:
			return d.Name.Name
		}
	}
}
