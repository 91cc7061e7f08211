package rewrite

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// code is a package with its types, and the place in it that is to be changed.
type code struct {
	options Options
	fset    *token.FileSet
	dir     string
	goLine  string // the release that go.mod asks for: go1.24
	files   []*source
	pkg     *types.Package
	info    *types.Info
	// taken are all names that any file of the directory has, also those of other builds.
	taken map[string]bool
	// declared are those that one of them declares for the package.
	declared map[string]bool
	notes    []string

	at   *source       // the file of the place
	line int           // in it
	fn   *ast.FuncDecl // the function at the place
}

// source is one file of the package.
type source struct {
	path  string
	text  []byte
	file  *ast.File
	edits []edit
	added map[string]string // names of packages that were imported by an edit
}

// listed is what is read of go list's answer (go help list).
type listed struct {
	ImportPath, Dir, Export, Name string
	GoFiles, CgoFiles             []string
	ImportMap                     map[string]string
	Module                        *struct{ Dir, GoVersion string }
	Error                         *struct{ Err string }
}

// load finds the place, and reads its package with types.
func load(ctx context.Context, o Options, p Place) (*code, error) {
	path := p.File
	if !filepath.IsAbs(path) {
		path = filepath.Join(o.Module, filepath.FromSlash(path))
	}
	c := &code{options: o, fset: token.NewFileSet(), dir: filepath.Dir(path), line: p.Line, taken: map[string]bool{},
		declared: map[string]bool{}}
	if err := c.checkPlace(path, p.Line); err != nil {
		return nil, err
	}
	p.Line = o.On.Line(path, p.Line)
	packages, err := c.list(ctx)
	if err != nil {
		return nil, err
	}
	own := packages[len(packages)-1] // go list -deps names what others need first
	if own.Error != nil {
		return nil, fail.New(fail.BadInput, "load package %s: %s", c.dir, strings.TrimSpace(own.Error.Err))
	}
	if own.Module == nil || !samePath(own.Module.Dir, o.Module) {
		return nil, refuse(path, p.Line, "the file is not of the module in %s", o.Module)
	}
	c.goLine = "go" + own.Module.GoVersion
	if !slices.Contains(own.GoFiles, filepath.Base(path)) {
		return nil, refuse(path, p.Line,
			"the file is not part of this build: it uses cgo, is a test, or its build tags leave it out")
	}
	if err := c.read(own); err != nil {
		return nil, err
	}
	if err := c.resolveTypes(own, packages); err != nil {
		return nil, err
	}
	return c.forPlace(path, p)
}

// forPlace is the package without edits, for a place in one of its files.
func (c *code) forPlace(path string, p Place) (*code, error) {
	one := *c
	one.files, one.taken, one.notes, one.line = nil, maps.Clone(c.taken), nil, p.Line
	for _, s := range c.files {
		bare := &source{path: s.path, text: s.text, file: s.file}
		one.files = append(one.files, bare)
		if filepath.Base(s.path) == filepath.Base(path) {
			one.at = bare
		}
	}
	if err := one.checkFile(one.at); err != nil {
		return nil, err
	}
	return &one, one.findFunction(p)
}

// checkPlace refuses files that are not the user's own.
func (c *code) checkPlace(path string, line int) error {
	name, inside := relative(c.options.Module, path)
	switch {
	case !inside:
		return refuse(path, line, "the file is outside of the module in %s", c.options.Module)
	case slices.Contains(strings.Split(name, "/"), "vendor"):
		return refuse(path, line, "the file is vendored: a change of it would be lost")
	}
	root, err := os.OpenRoot(c.options.Module)
	if err != nil {
		return fail.New(fail.BadInput, "open module: %w", err)
	}
	defer root.Close()
	switch info, err := root.Lstat(filepath.FromSlash(name)); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		// by a link that leads out of it
		return refuse(path, line, "the file cannot be reached within the module: %v", err)
	case err != nil || !info.Mode().IsRegular():
		return refuse(path, line, "there is no such file; the source may have changed since the run")
	}
	return nil
}

// list asks go for the package and all that it needs, built, so that their types can be read.
func (c *code) list(ctx context.Context) ([]listed, error) {
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	defer temp.Remove()
	flags, err := c.options.flags(temp.Path)
	if err != nil {
		return nil, err
	}
	args := append([]string{"list"}, flags...)
	args = append(args, "-buildvcs=false", "-e", "-export", "-deps",
		"-json=ImportPath,Dir,Export,Name,GoFiles,CgoFiles,ImportMap,Module,Error", "--", ".")
	out, _, err := gocommand.Ask(ctx, c.options.Env, c.dir, args...)
	if err != nil {
		return nil, fmt.Errorf("load package %s: %w", c.dir, err)
	}
	all, err := gocommand.Documents[listed](out)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fail.New(fail.BadInput, "go list finds no package in %s", c.dir)
	}
	return all, nil
}

// read parses the files of the package, and notes the names in all files of its directory.
func (c *code) read(own listed) error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return fail.New(fail.BadInput, "load package: %w", err)
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" || !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(c.dir, e.Name())
		text, err := c.options.read(path)
		if err != nil {
			return fail.New(fail.BadInput, "load package: %w", err)
		}
		file, err := parser.ParseFile(c.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		ours := slices.Contains(own.GoFiles, e.Name()) || slices.Contains(own.CgoFiles, e.Name())
		if err != nil && ours {
			return fail.New(fail.BadInput, "load package: %w", err)
		}
		if file != nil {
			ast.Inspect(file, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					c.taken[id.Name] = true
				}
				return true
			})
		}
		if file != nil {
			c.noteDeclared(file)
		}
		if ours {
			c.files = append(c.files, &source{path: path, text: text, file: file})
		}
	}
	if len(own.CgoFiles) > 0 {
		return refuse(filepath.Join(c.dir, own.CgoFiles[0]), 1,
			"the package uses cgo, whose types are not known from the source")
	}
	return nil
}

// noteDeclared notes the names that a file declares for the package.
func (c *code) noteDeclared(file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			c.declared[d.Name.Name] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					c.declared[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						c.declared[name.Name] = true
					}
				}
			}
		}
	}
}

// resolveTypes finds the type of everything.
func (c *code) resolveTypes(own listed, all []listed) error {
	exports := map[string]string{}
	for _, p := range all {
		exports[p.ImportPath] = p.Export
	}
	lookup := func(path string) (io.ReadCloser, error) {
		if mapped, ok := own.ImportMap[path]; ok {
			path = mapped
		}
		if exports[path] == "" {
			return nil, fmt.Errorf("package %s is not built", path)
		}
		return os.Open(exports[path])
	}
	c.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Implicits: map[ast.Node]types.Object{},
	}
	var files []*ast.File
	for _, s := range c.files {
		files = append(files, s.file)
	}
	config := types.Config{Importer: importer.ForCompiler(c.fset, "gc", lookup), GoVersion: c.goLine}
	if !version.IsValid(c.goLine) {
		config.GoVersion = ""
	}
	var err error
	if c.pkg, err = config.Check(own.ImportPath, c.fset, files, c.info); err != nil {
		return fail.New(fail.BadInput, "load package %s: %w", own.ImportPath,
			err).WithHint("does go build succeed in %s?", c.dir)
	}
	return nil
}

// checkFile refuses files that a change does not belong in.
func (c *code) checkFile(s *source) error {
	if ast.IsGenerated(s.file) {
		return c.refuse(s.file.Package, "the file is generated: change what generates it")
	}
	for _, group := range s.file.Comments {
		for _, comment := range group.List {
			if constraint.IsGoBuild(comment.Text) && comment.Pos() < s.file.Package {
				return c.refuse(s.file.Package,
					"the file has a build constraint: other builds would not get the change")
			}
			if strings.HasPrefix(comment.Text, "//line ") || strings.HasPrefix(comment.Text, "/*line ") {
				return c.refuse(comment.Pos(), "the file has line directives: it is made from another one")
			}
		}
	}
	if tag := systemOf(filepath.Base(s.path)); tag != "" {
		return c.refuse(s.file.Package, "the file is built for %s only: other builds would not get the change", tag)
	}
	return nil
}

// systemOf is the operating system or architecture that a file's name ends in (go help
// buildconstraint), empty if it is for all.
func systemOf(name string) string {
	parts := strings.Split(strings.TrimSuffix(name, ".go"), "_")
	if last := parts[len(parts)-1]; len(parts) > 1 && slices.Contains(systems, last) {
		return last
	}
	return ""
}

// systems are the names of GOOS and GOARCH of go tool dist list.
var systems = strings.Fields("aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris " +
	"wasip1 windows 386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm")

// findFunction finds the function at the line of the place.
func (c *code) findFunction(p Place) error {
	for _, d := range c.at.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Body != nil && c.lineOf(fn.Pos()) <= p.Line && p.Line <= c.lineOf(fn.End()) {
			if p.Function != "" && !strings.Contains(p.Function+".", "."+fn.Name.Name+".") &&
				!strings.Contains(p.Function, fn.Name.Name+"[") {
				return refuse(c.at.path, p.Line, "here is %s, not %s: the source has changed since the run",
					fn.Name.Name, p.Function)
			}
			c.fn = fn
			return nil
		}
	}
	return refuse(c.at.path, p.Line, "there is no function here: the source may have changed since the run")
}

func (c *code) lineOf(p token.Pos) int { return c.fset.Position(p).Line }

// refuse is the refusal at a position.
func (c *code) refuse(p token.Pos, format string, args ...any) error {
	return &Refusal{Position: c.fset.Position(p), Cause: fmt.Sprintf(format, args...)}
}

// refuse is the refusal at a line of a file.
func refuse(path string, line int, format string, args ...any) error {
	return &Refusal{Position: token.Position{Filename: path, Line: line}, Cause: fmt.Sprintf(format, args...)}
}

// samePath says whether two paths name one directory.
func samePath(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
