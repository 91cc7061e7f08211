package code

import (
	"fmt"
	"go/ast"
	"go/types"
)

// largeValue is from how many bytes on a copy of a value costs more than the reading of some of its fields: two cache
// lines.
const largeValue = 128

// CopiedValue names the large value that a line copies, with its size; empty if it copies none.
func (f *File) CopiedValue(line int) (what string) {
	sized := func(e ast.Expr, t types.Type) {
		if t == nil || what != "" {
			return
		}
		switch t.Underlying().(type) {
		case *types.Struct, *types.Array:
		default:
			return
		}
		if n := types.SizesFor("gc", "amd64").Sizeof(t); n >= largeValue {
			what = fmt.Sprintf("%s (%d bytes)", text(e), n)
		}
	}
	f.inspect(line, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if id, ok := n.Value.(*ast.Ident); ok && f.line(n.Pos()) == line {
				if o := f.info.Defs[id]; o != nil {
					sized(n.Value, o.Type())
				}
			}
		case *ast.AssignStmt:
			if f.line(n.Pos()) != line {
				return true
			}
			for _, e := range n.Rhs {
				if _, fresh := e.(*ast.CompositeLit); !fresh {
					sized(e, f.info.TypeOf(e))
				}
			}
		case *ast.CallExpr:
			if name := CalleeName(n); f.line(n.Pos()) != line || name == "len" || name == "cap" { // they read no element
				return true
			}
			for _, e := range n.Args {
				if _, fresh := e.(*ast.CompositeLit); !fresh {
					sized(e, f.info.TypeOf(e))
				}
			}
			if s, ok := n.Fun.(*ast.SelectorExpr); ok { // a receiver by value
				if m, ok := f.info.Uses[s.Sel].(*types.Func); ok {
					if recv := m.Signature().Recv(); recv != nil {
						sized(s.X, recv.Type())
					}
				}
			}
		}
		return true
	})
	return what
}
