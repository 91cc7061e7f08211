package release

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/prof/symbol"
)

// Functions are the functions of the library that depend on experiments.
type Functions map[string]map[string]bool // by the experiment's name, then by the function's name in profiles

// Has says whether a function of a profile, or the one that it is a closure in, depends on an experiment.
func (f Functions) Has(experiment, function string) bool {
	if of := f[experiment]; of != nil {
		name, _, _ := strings.Cut(function, "[") // type arguments
		closure, ok := symbol.ClosureOf(name)
		return of[name] || ok && of[closure.Home]
	}
	return false
}

// FunctionsOf reads the library of the release in a directory (GOROOT). A function depends on an experiment where its
// file is built only with it, or only without it, or where its body asks for it: by the constant of goexperiment, or by
// one that the package derives from that. Where the experiment opens a package of its own to programs, a body that asks
// for it does work for that package alone, and does not count.
func FunctionsOf(goroot string, experiments []Experiment) (Functions, error) {
	l := library{byConstant: map[string]string{}, named: map[string]bool{}, found: Functions{}, bodies: Functions{},
		opens: map[string]bool{}}
	for _, e := range experiments {
		l.byConstant[e.Constant], l.named[e.Name] = e.Name, true
	}
	root := filepath.Join(goroot, "src")
	err := filepath.WalkDir(root, func(dir string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		inside, _ := filepath.Rel(root, dir)
		switch importPath := filepath.ToSlash(inside); importPath {
		case "cmd", "vendor", "internal/goexperiment":
			return filepath.SkipDir
		default:
			if name := entry.Name(); name == "testdata" || strings.HasPrefix(name, "_") {
				return filepath.SkipDir
			}
			l.path = importPath
			return l.read(dir)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read which functions of the library in %s depend on GOEXPERIMENT: %w", root, err)
	}
	for name, of := range l.bodies {
		if !l.opens[name] {
			l.found.add(name, slices.Collect(maps.Keys(of))...)
		}
	}
	return l.found, nil
}

// library reads one package of the library after the other.
type library struct {
	path       string            // of the package
	byConstant map[string]string // names of experiments by their constants in package goexperiment
	named      map[string]bool
	// found are the functions by the constraints of their files, bodies those that ask for an experiment.
	found, bodies Functions
	opens         map[string]bool // the experiments that open a package
}

// part is a file of the package: only are the experiments that its build constraint names, needs those of them without
// which it is not built.
type part struct {
	file        *ast.File
	only, needs []string
}

func (l library) read(dir string) error {
	texts, err := texts(dir)
	if err != nil {
		return err
	}
	var parts []part
	parse := func(mentions func(text string) bool) {
		for name, text := range texts {
			if mentions(text) {
				delete(texts, name)
				file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
				if err == nil { // what this hone cannot read, it knows nothing of
					parts = append(parts, l.part(file))
				}
			}
		}
	}
	files := len(texts)
	parse(func(text string) bool { return strings.Contains(text, "goexperiment.") })
	derived := map[string]string{}
	for _, p := range parts {
		l.derive(p.file, derived)
	}
	parse(func(text string) bool {
		for constant := range derived {
			if strings.Contains(text, constant) {
				return true
			}
		}
		return false
	})
	l.functions(parts, files, derived)
	return nil
}

// texts are the files of a package without its tests.
func texts(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		all[name] = string(text)
	}
	return all, nil
}

// part reads the build constraint of a file.
func (l library) part(file *ast.File) (p part) {
	p.file = file
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, c := range group.List {
			expr, err := constraint.Parse(c.Text)
			if err != nil {
				continue
			}
			for name := range l.named {
				tag := "goexperiment." + name
				if named(expr, tag) {
					p.only = append(p.only, name)
				}
				if needs(expr, tag) {
					p.needs = append(p.needs, name)
				}
			}
		}
	}
	return p
}

// named says whether an expression has a tag.
func named(x constraint.Expr, tag string) (found bool) {
	x.Eval(func(t string) bool {
		found = found || t == tag
		return true
	})
	return found
}

// needs says whether an expression holds only with a tag.
func needs(x constraint.Expr, tag string) bool {
	switch x := x.(type) {
	case *constraint.TagExpr:
		return x.Tag == tag
	case *constraint.AndExpr:
		return needs(x.X, tag) || needs(x.Y, tag)
	case *constraint.OrExpr:
		return needs(x.X, tag) && needs(x.Y, tag)
	}
	return false
}

// derive finds the constants and variables of a file that are made of one of goexperiment.
func (l library) derive(file *ast.File, derived map[string]string) {
	for _, d := range file.Decls {
		general, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range general.Specs {
			values, ok := s.(*ast.ValueSpec)
			if !ok {
				continue
			}
			for i, v := range values.Values {
				if names := l.asked(v, nil); len(names) == 1 && i < len(values.Names) {
					derived[values.Names[i].Name] = names[0]
				}
			}
		}
	}
}

// asked are the experiments that a piece of source asks for.
func (l library) asked(n ast.Node, derived map[string]string) (all []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if of, ok := n.X.(*ast.Ident); ok && of.Name == "goexperiment" {
				if name := l.byConstant[strings.TrimSuffix(n.Sel.Name, "Int")]; name != "" {
					all = append(all, name)
				}
			}
		case *ast.Ident:
			if name := derived[n.Name]; name != "" {
				all = append(all, name)
			}
		}
		return true
	})
	slices.Sort(all)
	return slices.Compact(all)
}

// functions takes those of the package. A package that programs can import, and that has no file without an experiment,
// is opened by it.
func (l library) functions(parts []part, files int, derived map[string]string) {
	needed := map[string]int{}
	for _, p := range parts {
		for _, name := range p.needs {
			needed[name]++
			l.opens[name] = l.opens[name] || needed[name] == files && !strings.Contains(l.path+"/", "internal/")
		}
		for _, d := range p.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			function := l.path + "." + nameOf(f)
			for _, name := range p.only {
				l.found.add(name, function)
			}
			for _, name := range l.asked(f, derived) {
				l.bodies.add(name, function)
			}
		}
	}
}

func (f Functions) add(experiment string, functions ...string) {
	if f[experiment] == nil {
		f[experiment] = map[string]bool{}
	}
	for _, name := range functions {
		f[experiment][name] = true
	}
}

// nameOf is the name of a function or method in profiles, without its package and type parameters.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	of, format := f.Recv.List[0].Type, "%s.%s"
	if pointer, ok := of.(*ast.StarExpr); ok {
		of, format = pointer.X, "(*%s).%s"
	}
	switch generic := of.(type) {
	case *ast.IndexExpr:
		of = generic.X
	case *ast.IndexListExpr:
		of = generic.X
	}
	receiver, _ := of.(*ast.Ident)
	if receiver == nil {
		return f.Name.Name
	}
	return fmt.Sprintf(format, receiver.Name, f.Name.Name)
}
