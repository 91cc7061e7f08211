package code

import (
	"go/ast"
	"go/types"
	"strings"
)

// SleepsUntil says whether a line sleeps, or waits for a timer, until a time that is computed: by time.Until or Sub, at
// once or by way of a variable. Who sleeps for a fixed time polls, or waits by guess; who sleeps until a time keeps a
// rate.
func (f *File) SleepsUntil(line int) (yes bool) {
	fn := f.Function(line)
	if fn == nil {
		return false
	}
	for _, c := range f.CallsAt(line) {
		if name := CalleeName(c); name == "Sleep" || name == "After" || name == "NewTimer" || name == "Reset" {
			for _, arg := range c.Args {
				yes = yes || f.untilTime(fn, arg, 2)
			}
		}
	}
	return yes
}

// untilTime says whether an expression is a difference of times, by way of so many variables.
func (f *File) untilTime(fn *ast.FuncDecl, e ast.Expr, variables int) (yes bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := CalleeName(n)
			difference := name == "Sub" && f.isTime(n) || name == "Until" && f.packageOf(n) == "time"
			reserved := name == "Delay" || name == "DelayFrom" // of a reservation of golang.org/x/time/rate
			yes = yes || difference || reserved
		case *ast.Ident:
			if o, ok := f.info.Uses[n].(*types.Var); ok && variables > 0 {
				for _, from := range f.definitions(fn, o) {
					yes = yes || f.untilTime(fn, from, variables-1)
				}
			}
		}
		return !yes
	})
	return yes
}

// isTime says whether a call is of a method of time.Time, as far as its type is known.
func (f *File) isTime(c *ast.CallExpr) bool {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	t := f.info.TypeOf(s.X)
	return t == nil || strings.HasSuffix(t.String(), "time.Time") || t == types.Typ[types.Invalid]
}
