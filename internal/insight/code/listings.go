package code

import (
	"go/ast"
	"go/types"
	"slices"
)

// TakesNames says whether a line lists a directory, or asks for the Info of an entry, and its function uses only what
// the directory itself holds of an entry: its name and its kind.
func (f *File) TakesNames(line int) bool {
	fn := f.Function(line)
	if fn == nil {
		return false
	}
	listed, entry := types.Object(nil), false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || f.line(a.Pos()) > line || f.line(a.End()) < line || len(a.Rhs) != 1 {
			return true
		}
		if c, call := ast.Unparen(a.Rhs[0]).(*ast.CallExpr); call {
			if id, ok := a.Lhs[0].(*ast.Ident); ok {
				listed, entry = f.info.ObjectOf(id), CalleeName(c) == "Info"
			}
		}
		return true
	})
	return listed != nil && f.onlyNames(fn, listed, entry)
}

// onlyNames says whether a function uses only names and kinds of a variable: of an entry, or of a list of entries.
func (f *File) onlyNames(fn *ast.FuncDecl, o types.Object, entry bool) bool {
	only := true
	var around []ast.Node
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok && f.info.Uses[id] == o {
			only = only && f.usesName(fn, id, around, entry)
		}
		around = append(around, n)
		return true
	})
	return only
}

// usesName says whether one use of a variable, with the nodes around it, takes no more than names and kinds.
func (f *File) usesName(fn *ast.FuncDecl, id ast.Expr, around []ast.Node, entry bool) bool {
	if len(around) == 0 {
		return false
	}
	switch n := around[len(around)-1].(type) {
	case *ast.SelectorExpr:
		return entry && slices.Contains([]string{"Name", "IsDir", "Type"}, n.Sel.Name)
	case *ast.IndexExpr:
		return !entry && n.X == id && f.usesName(fn, n, around[:len(around)-1], true)
	case *ast.CallExpr:
		return !entry && CalleeName(n) == "len"
	case *ast.RangeStmt:
		if entry || n.X != id {
			return false
		}
		of, ok := n.Value.(*ast.Ident)
		return n.Value == nil || ok && (of.Name == "_" || f.onlyNames(fn, f.info.ObjectOf(of), true))
	}
	return false
}
