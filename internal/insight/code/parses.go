package code

import (
	"go/ast"
	"slices"
)

// ParsesAgain says whether a line hands a function of one of these names a text that it has seen before: a part of what
// more than one request has, or of the elements that a sort compares. Texts that a request brings are new.
func (f *File) ParsesAgain(line int, functions ...string) (yes bool) {
	for _, c := range f.CallsAt(line) {
		if !slices.Contains(functions, CalleeName(c)) {
			continue
		}
		for _, arg := range c.Args {
			yes = yes || !f.constant(arg) && (f.kept(line, arg) || f.comparesIn(line, arg))
		}
	}
	return yes
}

// kept says whether an expression lasts, or is a part of the element of a loop over what lasts.
func (f *File) kept(line int, e ast.Expr) bool {
	if f.lasts(e) {
		return true
	}
	id, ok := rootIdent(e)
	if !ok {
		return false
	}
	return slices.ContainsFunc(f.loops(line), func(loop ast.Stmt) bool {
		r, ok := loop.(*ast.RangeStmt)
		if !ok {
			return false
		}
		element, ok := r.Value.(*ast.Ident)
		return ok && element.Name == id.Name && f.lasts(r.X)
	})
}

// comparesIn says whether an expression is a part of an argument of a function literal that a sort calls.
func (f *File) comparesIn(line int, e ast.Expr) (yes bool) {
	id, ok := rootIdent(e)
	if !ok {
		return false
	}
	f.enclosing(line, func(n ast.Node) {
		c, ok := n.(*ast.CallExpr)
		if !ok || f.packageOf(c) != "slices" && f.packageOf(c) != "sort" {
			return
		}
		for _, arg := range c.Args {
			less, ok := arg.(*ast.FuncLit)
			if ok && less.Pos() <= e.Pos() && e.Pos() < less.End() {
				o := f.info.Uses[id]
				yes = yes || o != nil && less.Type.Pos() <= o.Pos() && o.Pos() < less.Body.Pos() || f.isElement(e, c.Args[0])
			}
		}
	})
	return yes
}

// isElement says whether an expression is a part of an element of a slice: items[i].date.
func (f *File) isElement(e, of ast.Expr) (yes bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(*ast.IndexExpr)
		yes = yes || ok && text(x.X) == text(of)
		return true
	})
	return yes
}
