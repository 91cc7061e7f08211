package code

import (
	"go/ast"
	"go/types"
)

// HandedIn are the expressions of the caller's line that a function's expressions are made of; nil if one is made of
// anything else than parameters, the receiver, constants, and variables of the package.
func (f *File) HandedIn(line int, made []ast.Expr, caller *File, at int) (from []ast.Expr) {
	fn := f.Function(line)
	if fn == nil {
		return nil
	}
	var call *ast.CallExpr
	for _, c := range caller.CallsAt(at) {
		if CalleeName(c) == fn.Name.Name {
			call = c
		}
	}
	if call == nil {
		return nil
	}
	from, ok := []ast.Expr{}, true
	for _, e := range made {
		ast.Inspect(e, func(n ast.Node) bool {
			id, isName := n.(*ast.Ident)
			if !isName {
				return ok
			}
			o, isVar := f.info.Uses[id].(*types.Var)
			switch {
			case !isVar || o.IsField() || f.isPackageLevel(id):
			default:
				i, args := parameterOf(fn, o), InputsOf(call)
				if fn.Recv == nil {
					args = call.Args // what is before the name is a package
				}
				if i >= 0 && i < len(args) {
					from = append(from, args[i])
				} else {
					ok = false
				}
			}
			return ok
		})
	}
	if !ok {
		return nil
	}
	return from
}

// InputsOf are the arguments of a call, and its receiver.
func InputsOf(c *ast.CallExpr) []ast.Expr {
	if s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
		return append([]ast.Expr{s.X}, c.Args...)
	}
	return c.Args
}

// parameterOf is the place of a parameter among the inputs of a call of its function: a receiver comes first. -1 if it
// is none.
func parameterOf(fn *ast.FuncDecl, o *types.Var) int {
	i := 0
	for _, list := range []*ast.FieldList{fn.Recv, fn.Type.Params} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				if name.Pos() == o.Pos() {
					return i
				}
				i++
			}
		}
	}
	return -1
}

// HandedBy is the expression of a caller's line that a function's stream comes from; nil if it is not a parameter or of
// the receiver.
func (f *File) HandedBy(line int, stream ast.Expr, caller *File, at int) ast.Expr {
	fn := f.Function(line)
	if fn == nil {
		return nil
	}
	root := f.definedBy(fn, rootOf(stream))
	for _, c := range caller.CallsAt(at) {
		if CalleeName(c) != fn.Name.Name {
			continue
		}
		if fn.Recv != nil && len(fn.Recv.List) == 1 && len(fn.Recv.List[0].Names) == 1 &&
			fn.Recv.List[0].Names[0].Name == root {
			if s, ok := c.Fun.(*ast.SelectorExpr); ok {
				return s.X
			}
		}
		i := 0
		for _, field := range fn.Type.Params.List {
			for _, name := range field.Names {
				if name.Name == root && i < len(c.Args) {
					return c.Args[i]
				}
				i++
			}
		}
	}
	return nil
}

// definedBy follows a local name to what it was made of: w of w := s.conn comes from s.
func (f *File) definedBy(fn *ast.FuncDecl, name string) string {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 && text(a.Lhs[0]) == name {
			if from := rootOf(a.Rhs[0]); from != "" {
				name = from
			}
			return false
		}
		return true
	})
	return name
}
