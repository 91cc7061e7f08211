package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// ConstantHashed names the constant that a line hashes: a literal, a constant, or a variable of the package that its
// file never sets; empty if it hashes something else.
func (f *File) ConstantHashed(line int) string {
	for _, c := range f.CallsAt(line) {
		for _, arg := range c.Args {
			if e := unconverted(arg); f.constant(e) {
				if name := CalleeName(c); strings.HasPrefix(name, "Sum") || strings.HasPrefix(name, "Write") ||
					strings.HasPrefix(name, "Checksum") || strings.HasPrefix(name, "Hash") ||
					strings.HasPrefix(name, "String") || strings.HasPrefix(name, "Bytes") {
					return text(e)
				}
			}
		}
	}
	return ""
}

// unconverted is x of []byte(x).
func unconverted(e ast.Expr) ast.Expr {
	if c, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(c.Args) == 1 {
		if _, conversion := c.Fun.(*ast.ArrayType); conversion {
			return ast.Unparen(c.Args[0])
		}
	}
	return ast.Unparen(e)
}

func (f *File) constant(e ast.Expr) bool {
	if l, ok := e.(*ast.BasicLit); ok {
		return l.Kind == token.STRING
	}
	if tv, ok := f.info.Types[e]; ok && tv.Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return f.isPackageLevel(e) && !f.assigned(e.Name)
	case *ast.SelectorExpr:
		return f.lasts(e.X) && f.constantField(e)
	}
	return false
}

// constantField says whether an expression is a field of a struct that the file declares, and that no function sets
// which is seen to run under load: what is set at the start only does not change.
func (f *File) constantField(e *ast.SelectorExpr) bool {
	field, ok := f.info.Uses[e.Sel].(*types.Var)
	owner := f.info.TypeOf(e.X)
	if !ok || !field.IsField() || owner == nil {
		return false
	}
	if p, ok := owner.Underlying().(*types.Pointer); ok {
		owner = p.Elem()
	}
	is := func(to ast.Expr) bool {
		s, ok := to.(*ast.SelectorExpr)
		return ok && f.info.Uses[s.Sel] == field
	}
	sets, made := false, false
	f.declarations(func(d ast.Decl) {
		fn, _ := d.(*ast.FuncDecl)
		ast.Inspect(d, func(n ast.Node) bool {
			set := false
			switch n := n.(type) {
			case *ast.AssignStmt:
				set = slices.ContainsFunc(n.Lhs, is)
			case *ast.UnaryExpr:
				set = n.Op == token.AND && is(n.X)
			case *ast.CompositeLit:
				if t := f.info.TypeOf(n); t != nil && types.Identical(t, owner) {
					set = true
				}
			}
			made = made || set
			sets = sets || set && fn != nil && f.runs[fn]
			return !sets
		})
	})
	return made && !sets
}

// assigned says whether any statement of the package sets a variable of that name.
func (f *File) assigned(name string) (yes bool) {
	f.declarations(func(d ast.Decl) {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					if rootOf(e) == name && n.Tok != token.DEFINE {
						yes = true
					}
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND && rootOf(n.X) == name {
					yes = true
				}
			case *ast.IncDecStmt:
				yes = yes || rootOf(n.X) == name
			}
			return !yes
		})
	})
	return yes
}

// rootOf is the name of rootIdent; empty if there is none.
func rootOf(e ast.Expr) string {
	if id, ok := rootIdent(e); ok {
		return id.Name
	}
	return ""
}

// rootIdent is the variable that an expression is a part of, through fields, elements and pointers: s of s.items[3].
func rootIdent(e ast.Expr) (*ast.Ident, bool) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return x, true
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		default:
			return nil, false
		}
	}
}
