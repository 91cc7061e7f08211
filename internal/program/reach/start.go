package reach

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/samecode"
)

// filled says which variables of a package are filled differently before main, by its source and that of all that it
// uses: what is the same in both is compiled to the same. nil if the source does not show it: where names are not
// found, or where a function whose code stands among what fills the variables differs, or what fills them does not
// only compute.
func (a *assigner) filled(f samecode.Function) *samecode.Filled {
	all := &samecode.Filled{}
	differs := a.differing()
	for _, inlined := range f.Inlined {
		u := a.place(inlined)
		if differs[samecode.Symbol{Package: a.importPath(inlined.Package), Name: u.name}] {
			return nil
		}
	}
	for side := range a.sources {
		s := a.sources[side][f.Package]
		if s == nil {
			continue
		}
		if s.unclear {
			return nil
		}
		for name, d := range s.others {
			if !d.isVar || !differs[samecode.Symbol{Package: s.Import, Name: name}] {
				continue
			}
			if s.linked[name] {
				return nil
			}
			if all.Variables = append(all.Variables, name); !slices.ContainsFunc(d.values, func(e ast.Expr) bool {
				return !a.computes(expression{s, d.imports, side}, e, all)
			}) {
				continue
			}
			return nil
		}
	}
	return all
}

// importPath is the import path of a package by the one that the linker knows.
func (a *assigner) importPath(path string) string {
	for _, of := range a.sources {
		if s := of[path]; s != nil {
			return s.Import
		}
	}
	return path
}

// differing are the names, of all packages that differ, whose source differs, or that of what they use.
func (a *assigner) differing() map[samecode.Symbol]bool {
	if a.differs != nil {
		return a.differs
	}
	a.differs = map[samecode.Symbol]bool{}
	users := map[samecode.Symbol][]samecode.Symbol{}
	var todo []samecode.Symbol
	for side, of := range a.sources {
		for path, s := range of {
			other := a.sources[1-side][path]
			for kind, all := range []map[string]*declaration{s.functions, s.others} {
				for name, d := range all {
					key := samecode.Symbol{Package: s.Import, Name: name}
					uses := d.uses
					if d.isVar {
						uses = d.fills
					}
					for _, used := range uses {
						users[used] = append(users[used], key)
					}
					if other == nil || textOf(other, kind, name) != d.text {
						todo = append(todo, key)
					}
				}
			}
		}
	}
	for len(todo) > 0 {
		key := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; !a.differs[key] {
			a.differs[key] = true
			todo = append(todo, users[key]...)
		}
	}
	return a.differs
}

// textOf is the text of a function, or of another name; of none it differs from that of all.
func textOf(s *source, kind int, name string) string {
	d := []map[string]*declaration{s.functions, s.others}[kind][name]
	if d == nil {
		return "?"
	}
	return d.text
}

// expression says where one stands.
type expression struct {
	*source
	imports map[string]string
	side    int
}

// computes says that an expression only computes, and calls functions of its package. It adds these to all.
func (a *assigner) computes(in expression, e ast.Expr, all *samecode.Filled) bool {
	each := func(parts ...ast.Expr) bool {
		return !slices.ContainsFunc(parts, func(part ast.Expr) bool { return !a.computes(in, part, all) })
	}
	switch e := e.(type) {
	case nil, *ast.BasicLit, *ast.Ident, *ast.FuncLit, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType,
		*ast.StructType, *ast.InterfaceType:
		return true
	case *ast.SelectorExpr:
		return each(e.X)
	case *ast.CompositeLit:
		return each(e.Elts...)
	case *ast.KeyValueExpr:
		return each(e.Key, e.Value)
	case *ast.ParenExpr:
		return each(e.X)
	case *ast.StarExpr:
		return each(e.X)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && each(e.X)
	case *ast.BinaryExpr:
		return each(e.X, e.Y)
	case *ast.IndexExpr:
		return each(e.X, e.Index)
	case *ast.SliceExpr:
		return each(e.X, e.Low, e.High, e.Max)
	case *ast.CallExpr:
		return a.calls(in, e, all) && each(e.Args...)
	}
	return false
}

// builtins are those that only compute, with the types that a call converts to.
var builtins = []string{"make", "new", "len", "cap", "min", "max", "complex", "real", "imag", "string", "bool", "byte",
	"rune", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "float32",
	"float64", "complex64", "complex128", "any", "error"}

// calls says that what a call calls only computes, or is a function of the package, which is added to all.
func (a *assigner) calls(in expression, e *ast.CallExpr, all *samecode.Filled) bool {
	switch f := ast.Unparen(e.Fun).(type) {
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return true
	case *ast.StarExpr: // (*T)(x)
		return a.computes(in, f.X, all)
	case *ast.Ident:
		if d := in.others[f.Name]; d != nil {
			return d.isType
		}
		if in.functions[f.Name] == nil {
			return slices.Contains(builtins, f.Name)
		}
		all.Calls = append(all.Calls, samecode.Symbol{Package: in.Path, Name: f.Name})
		return true
	case *ast.SelectorExpr:
		x, ok := f.X.(*ast.Ident)
		if !ok || in.others[x.Name] != nil || in.imports[x.Name] == "" {
			return false
		}
		path := in.imports[x.Name]
		switch {
		case path == "fmt" && (f.Sel.Name == "Errorf" || f.Sel.Name == "Sprintf" || f.Sel.Name == "Sprint"):
			return !slices.ContainsFunc(e.Args, func(arg ast.Expr) bool { return !a.isPlain(in, arg) })
		case path == "time" && f.Sel.Name == "Duration", path == "sync" && strings.HasPrefix(f.Sel.Name, "Once"):
			return true
		}
		return samecode.Computes(samecode.Symbol{Package: path, Name: f.Sel.Name})
	}
	return false
}

// isPlain says that printing a value calls no code of the program: a literal, or an error that errors.New has made.
func (a *assigner) isPlain(in expression, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.BinaryExpr:
		return a.isPlain(in, e.X) && a.isPlain(in, e.Y)
	case *ast.Ident:
		d := in.others[e.Name]
		if d == nil || !d.isVar || len(d.values) != 1 {
			return false
		}
		call, ok := d.values[0].(*ast.CallExpr)
		if !ok {
			return false
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		x, ok := f.X.(*ast.Ident)
		return ok && d.imports[x.Name] == "errors" && f.Sel.Name == "New"
	}
	return false
}
