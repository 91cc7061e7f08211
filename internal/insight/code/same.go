package code

import (
	"go/ast"
	"go/types"
	"slices"
)

// HandsSame says whether a line calls a function with constants only, or a method of what more than one request has,
// and does not change its result.
func (f *File) HandsSame(line int, fn *ast.FuncDecl) (yes bool) {
	for _, c := range f.CallsAt(line) {
		if CalleeName(c) != fn.Name.Name {
			continue
		}
		if x, method := ast.Unparen(c.Fun).(*ast.SelectorExpr); method && fn.Recv != nil && !f.lasts(x.X) {
			return false
		}
		if yes = !slices.ContainsFunc(c.Args, func(e ast.Expr) bool { return !f.constant(unconverted(e)) }) &&
			!f.changesResult(line, c); !yes {
			return false
		}
	}
	return yes
}

// changesResult says whether a function changes a variable that it puts the result of a call into: its elements, its
// fields, or by append.
func (f *File) changesResult(line int, c *ast.CallExpr) (yes bool) {
	var result types.Object
	f.inspect(line, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Rhs) == 1 && ast.Unparen(a.Rhs[0]) == c {
			if id, ok := a.Lhs[0].(*ast.Ident); ok {
				if result = f.info.Defs[id]; result == nil {
					result = f.info.Uses[id]
				}
			}
		}
		return true
	})
	is := func(e ast.Expr) bool {
		id, ok := rootIdent(e)
		return ok && result != nil && f.info.Uses[id] == result
	}
	f.inspect(line, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				if _, whole := to.(*ast.Ident); !whole && is(to) {
					yes = true
				}
			}
		case *ast.IncDecStmt:
			yes = yes || is(n.X)
		case *ast.CallExpr:
			name := CalleeName(n)
			changes := name == "append" || name == "copy" || name == "clear" || name == "delete" ||
				name == "Unmarshal" || name == "Decode"
			p := f.packageOf(n)
			if (changes || p == "sort" || p == "slices") && slices.ContainsFunc(n.Args, is) {
				yes = true
			}
		}
		return !yes
	})
	return yes
}
