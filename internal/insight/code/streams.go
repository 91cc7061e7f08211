package code

import (
	"go/ast"
	"go/token"
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

// WaitsForReply says whether a line takes from a channel that its function made: alone, or as a field of what it made.
func (f *File) WaitsForReply(line int) (yes bool) {
	f.inspect(line, func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		if !ok || u.Op != token.ARROW || f.line(u.Pos()) != line {
			return true
		}
		if id, ok := rootIdent(u.X); ok {
			o := f.info.Uses[id]
			fn := f.Function(line)
			// declared in the function itself
			yes = yes || o != nil && o.Pos() > fn.Body.Pos() && o.Pos() < fn.Body.End()
		}
		return true
	})
	return yes
}
