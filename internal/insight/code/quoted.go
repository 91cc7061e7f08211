package code

import (
	"go/ast"
	"go/types"
)

// CompilesQuoted says whether a line compiles a pattern that has a text quoted by regexp.QuoteMeta, at once or by way
// of a variable.
func (f *File) CompilesQuoted(line int) (yes bool) {
	fn := f.Function(line)
	if fn == nil {
		return false
	}
	for _, c := range f.CallsAt(line) {
		for _, arg := range c.Args {
			yes = yes || f.packageOf(c) == "regexp" && f.quotes(fn, arg, 1)
		}
	}
	return yes
}

// quotes says whether an expression has a call of regexp.QuoteMeta, by way of so many variables.
func (f *File) quotes(fn *ast.FuncDecl, e ast.Expr, variables int) (yes bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			yes = yes || CalleeName(n) == "QuoteMeta" && f.packageOf(n) == "regexp"
		case *ast.Ident:
			if o, ok := f.info.Uses[n].(*types.Var); ok && variables > 0 {
				for _, from := range f.definitions(fn, o) {
					yes = yes || f.quotes(fn, from, variables-1)
				}
			}
		}
		return !yes
	})
	return yes
}
