package code

import (
	"go/ast"
	"go/token"
)

// AddsTo is what a line adds to by + in what it returns: a of return a + b; nil if it returns no sum.
func (f *File) AddsTo(line int) (first []ast.Expr) {
	f.inspect(line, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 && f.spans(r, line) {
			first = []ast.Expr{firstOfSum(r.Results[0])}
		}
		return true
	})
	return first
}

// Assigns says whether a line puts something into a variable, and into no other.
func (f *File) Assigns(line int, to ast.Expr) (yes bool) {
	f.inspect(line, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && f.spans(a, line) {
			yes = yes || text(a.Lhs[0]) == text(to)
		}
		return true
	})
	return yes
}

// firstOfSum is a of a + b + c.
func firstOfSum(e ast.Expr) ast.Expr {
	for {
		sum, ok := ast.Unparen(e).(*ast.BinaryExpr)
		if !ok || sum.Op != token.ADD {
			return ast.Unparen(e)
		}
		e = sum.X
	}
}

// Grows says whether a line adds to a variable that it reads: s += x, s = s + x, s = x + s. Each time it copies what was
// there.
func (f *File) Grows(line int) (yes bool) {
	f.inspect(line, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || !f.spans(a, line) {
			return true
		}
		yes = yes || a.Tok == token.ADD_ASSIGN || a.Tok == token.ASSIGN && isTerm(a.Rhs[0], text(a.Lhs[0]))
		return true
	})
	return yes
}

// isTerm says whether a term of a + b + c is name.
func isTerm(e ast.Expr, name string) bool {
	if sum, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && sum.Op == token.ADD {
		return isTerm(sum.X, name) || isTerm(sum.Y, name)
	}
	return text(ast.Unparen(e)) == name
}

// Accumulates says whether a line adds to a field by +=: each call of its function makes the text longer.
func (f *File) Accumulates(line int) (yes bool) {
	f.inspect(line, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ADD_ASSIGN && f.spans(a, line) {
			_, field := ast.Unparen(a.Lhs[0]).(*ast.SelectorExpr)
			yes = yes || field
		}
		return true
	})
	return yes
}
