package code

import (
	"go/ast"
	"slices"
)

// ParsesAgain says whether a line hands a function of one of these names a text that it has seen before: a part of what
// more than one request has. Texts that a request brings are new.
func (f *File) ParsesAgain(line int, functions ...string) (yes bool) {
	for _, c := range f.CallsAt(line) {
		if !slices.Contains(functions, CalleeName(c)) {
			continue
		}
		for _, arg := range c.Args {
			yes = yes || !f.constant(arg) && f.kept(line, arg)
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
