package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// StreamAt is what a line reads from or writes to: the receiver of Read, Write or Flush, the first argument of
// io.ReadFull, fmt.Fprintf and the like; nil if the line is not seen to do either.
func (f *File) StreamAt(line int) ast.Expr {
	for _, c := range f.CallsAt(line) {
		name := CalleeName(c)
		moves := strings.Contains(name, "Write") || strings.Contains(name, "Read") ||
			strings.HasPrefix(name, "Fprint") || strings.HasPrefix(name, "Copy") || name == "Flush"
		if !moves {
			continue
		}
		if f.packageOf(c) != "" {
			if len(c.Args) > 0 {
				return c.Args[0]
			}
			continue
		}
		if s, ok := c.Fun.(*ast.SelectorExpr); ok {
			return s.X
		}
	}
	return nil
}

// WaitsForReply says whether a line takes from a channel that its function made: alone, or as a field of what it made;
// also by a loop over the channel, or by one of the cases of a select.
func (f *File) WaitsForReply(line int) (yes bool) {
	f.inspect(line, func(n ast.Node) bool {
		if n == nil || f.line(n.Pos()) != line {
			return true
		}
		switch n := n.(type) {
		case *ast.UnaryExpr:
			yes = yes || n.Op == token.ARROW && f.declaredHere(line, n.X)
		case *ast.RangeStmt:
			yes = yes || f.rangesOverChannel(line) && f.declaredHere(line, n.X)
		case *ast.SelectStmt:
			yes = yes || f.selectsReply(line, n)
		}
		return true
	})
	return yes
}

// declaredHere says whether the variable at the root of an expression is declared in the body of the function around a
// line.
func (f *File) declaredHere(line int, e ast.Expr) bool {
	id, ok := rootIdent(e)
	if !ok {
		return false
	}
	o, fn := f.info.Uses[id], f.Function(line)
	return o != nil && o.Pos() > fn.Body.Pos() && o.Pos() < fn.Body.End()
}

// selectsReply says whether a case of a select takes from a channel that the function around a line makes with make:
// other channels, such as the one of a timer, are there to end the wait.
func (f *File) selectsReply(line int, s *ast.SelectStmt) (yes bool) {
	for _, c := range s.Body.List {
		comm := c.(*ast.CommClause).Comm
		if comm == nil {
			return false // it does not wait
		}
		ast.Inspect(comm, func(n ast.Node) bool {
			u, ok := n.(*ast.UnaryExpr)
			if !ok || u.Op != token.ARROW {
				return true
			}
			id, ok := ast.Unparen(u.X).(*ast.Ident)
			if !ok {
				return true
			}
			o, ok := f.info.Uses[id].(*types.Var)
			yes = yes || ok && f.declaredHere(line, u.X) && slices.ContainsFunc(f.definitions(f.Function(line), o), isMake)
			return true
		})
	}
	return yes
}

func isMake(e ast.Expr) bool {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && CalleeName(c) == "make"
}
