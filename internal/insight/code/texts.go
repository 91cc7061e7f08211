package code

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// SetsColumns says whether a line formats by such a format.
func (f *File) SetsColumns(line int) bool {
	return slices.ContainsFunc(f.CallsAt(line), func(c *ast.CallExpr) bool {
		return f.packageOf(c) == "fmt" && slices.ContainsFunc(c.Args, func(e ast.Expr) bool {
			l, ok := e.(*ast.BasicLit)
			return ok && l.Kind == token.STRING && columns.MatchString(strings.ReplaceAll(l.Value, "%%", ""))
		})
	})
}

// columns takes formats with flags or a width: "%-20s", "%08d", "%+.2f".
var columns = regexp.MustCompile(`%[-+# 0]*[1-9*]|%[-+# 0]`)

// TakesOnePart says whether a line calls a function of strings or bytes of whose slice the function uses one element,
// at once or by way of a variable.
func (f *File) TakesOnePart(line int) (yes bool) {
	parts := ""
	f.inspect(line, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if c, ok := ast.Unparen(n.X).(*ast.CallExpr); ok && f.line(c.Pos()) == line && f.takesApart(c) {
				yes = true
			}
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && len(n.Rhs) == 1 && f.line(n.Pos()) == line {
				if c, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr); ok && f.takesApart(c) {
					parts = text(n.Lhs[0])
				}
			}
		}
		return true
	})
	return yes || parts != "" && parts != "_" && f.indexed(line, parts)
}

func (f *File) takesApart(c *ast.CallExpr) bool {
	p := f.packageOf(c)
	return (p == "strings" || p == "bytes") && (strings.HasPrefix(CalleeName(c), "Split") ||
		strings.HasPrefix(CalleeName(c), "Fields"))
}

// indexed says whether the function around a line uses a slice by one index only, and by its length.
func (f *File) indexed(line int, name string) bool {
	indices, other := map[string]bool{}, 0
	f.inspect(line, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if text(n.X) == name {
				indices[text(n.Index)] = true
				return false
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "len" {
				return false
			}
		case *ast.Ident:
			if n.Name == name && f.line(n.Pos()) > line {
				other++
			}
		}
		return true
	})
	return len(indices) == 1 && other == 0
}

// LogArgument says whether a line builds an argument of a call of a logger at a low level: Debug, Trace and their
// forms.
func (f *File) LogArgument(line int) bool {
	all := f.CallsAt(line)
	for i, c := range all {
		name := CalleeName(c)
		if _, method := c.Fun.(*ast.SelectorExpr); !method ||
			!strings.HasPrefix(name, "Debug") && !strings.HasPrefix(name, "Trace") {
			continue
		}
		for _, inner := range all[i+1:] { // a call inside of it, in an argument
			for _, arg := range c.Args {
				if arg.Pos() <= inner.Pos() && inner.End() <= arg.End() && f.spans(inner, line) {
					return true
				}
			}
		}
	}
	return false
}
