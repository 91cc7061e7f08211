package code

import (
	"go/ast"
	"go/types"
)

// CopiedForOne names what a line copies as a whole although only single elements of the copy are read, or how many there
// are: a map or slice that outlives the call, cloned and returned to callers of which each takes an element. Empty where
// a use of the copy is not seen, or takes more.
func (f *File) CopiedForOne(line int) string {
	fn := f.Function(line)
	if fn == nil {
		return ""
	}
	for _, c := range f.CallsAt(line) {
		if p := f.packageOf(c); p != "maps" && p != "slices" || CalleeName(c) != "Clone" || !f.outlives(c.Args[0]) {
			continue
		}
		if f.readsOne(fn, c) || f.returns(fn, c) && f.callersReadOne(fn) {
			return text(c.Args[0])
		}
	}
	return ""
}

// returns says whether a function does nothing with the result of a call but return it.
func (f *File) returns(fn *ast.FuncDecl, c *ast.CallExpr) (yes bool) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		r, ok := n.(*ast.ReturnStmt)
		yes = yes || ok && len(r.Results) == 1 && ast.Unparen(r.Results[0]) == c
		return true
	})
	return yes
}

// callersReadOne says whether all calls of a function in its package read single elements of what it returns.
func (f *File) callersReadOne(fn *ast.FuncDecl) bool {
	calls := f.callsOf(fn)
	for _, call := range calls {
		in := &File{f.Package, f.files[call.made.Place.File]}
		c, ok := call.expr.(*ast.CallExpr)
		if !ok || call.in == nil || !in.readsOne(call.in, c) {
			return false
		}
	}
	return len(calls) > 0
}

// readsOne says whether a function reads single elements of the result of a call, or its length, and nothing else of it:
// all()[key], or the same with a variable.
func (f *File) readsOne(fn *ast.FuncDecl, c *ast.CallExpr) bool {
	var result types.Object
	direct := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if id, ok := n.Lhs[0].(*ast.Ident); ok && len(n.Rhs) == 1 && len(n.Lhs) == 1 && ast.Unparen(n.Rhs[0]) == c {
				result = f.info.Defs[id]
			}
		case *ast.IndexExpr:
			direct = direct || ast.Unparen(n.X) == c
		case *ast.CallExpr:
			direct = direct || CalleeName(n) == "len" && len(n.Args) == 1 && ast.Unparen(n.Args[0]) == c
		}
		return true
	})
	if result == nil {
		return direct
	}
	reads, uses := 0, 0
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && f.info.Uses[id] == result
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if f.info.Uses[n] == result {
				uses++
			}
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				if x, ok := to.(*ast.IndexExpr); ok && is(x.X) {
					reads = -1 << 20 // it is changed
				}
			}
		case *ast.IndexExpr:
			if is(n.X) {
				reads++
			}
		case *ast.CallExpr:
			if CalleeName(n) == "len" && len(n.Args) == 1 && is(n.Args[0]) {
				reads++
			}
		}
		return true
	})
	return uses > 0 && reads == uses
}
