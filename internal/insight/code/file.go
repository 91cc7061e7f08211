package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// File is a file of the user's, parsed. All its methods answer "no" where the file is not known, so that a rule
// that needs the source is silent without it.
type File struct {
	*Package
	file *ast.File // nil if it is not known
}

// Known says whether the source of the file is there.
func (f *File) Known() bool { return f.file != nil }

func (f *Package) line(p token.Pos) int { return f.fset.Position(p).Line }

// spans says whether a node has the line.
func (f *File) spans(n ast.Node, line int) bool {
	return f.line(n.Pos()) <= line && line <= f.line(n.End())
}

// Function is the declaration around a line; nil if there is none.
func (f *File) Function(line int) *ast.FuncDecl {
	if f.file == nil {
		return nil
	}
	for _, d := range f.file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && f.spans(fn, line) {
			return fn
		}
	}
	return nil
}

// inspect walks through the body of the function around a line, if there is one.
func (f *File) inspect(line int, visit func(ast.Node) bool) {
	if fn := f.Function(line); fn != nil {
		ast.Inspect(fn.Body, visit)
	}
}

// enclosing visits the nodes around a line in the body of its function, the outermost first.
func (f *File) enclosing(line int, visit func(ast.Node)) {
	f.inspect(line, func(n ast.Node) bool {
		if n == nil || !f.spans(n, line) {
			return false
		}
		visit(n)
		return true
	})
}

// loops are those around a line in its function, the outermost first, as far as the innermost function literal.
func (f *File) loops(line int) (around []ast.Stmt) {
	f.enclosing(line, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FuncLit:
			if f.line(n.Body.Lbrace) < line {
				around = nil
			}
		case *ast.ForStmt:
			if f.spans(n.Body, line) {
				around = append(around, n)
			}
		case *ast.RangeStmt:
			if f.spans(n.Body, line) {
				around = append(around, n)
			}
		}
	})
	return around
}

// InLoop says whether a line is in a loop of its function.
func (f *File) InLoop(line int) bool { return len(f.loops(line)) > 0 }

// CallsAt are the calls that begin or end in a line, the outermost first.
func (f *File) CallsAt(line int) (all []*ast.CallExpr) {
	f.enclosing(line, func(n ast.Node) {
		if c, ok := n.(*ast.CallExpr); ok {
			all = append(all, c)
		}
	})
	return all
}

// Calls says whether a line calls a function or method of that name.
func (f *File) Calls(line int, name string) bool {
	for _, c := range f.CallsAt(line) {
		if CalleeName(c) == name {
			return true
		}
	}
	return false
}

// CallsPrefix says whether a line calls a function whose name begins so.
func (f *File) CallsPrefix(line int, prefix string) bool {
	for _, c := range f.CallsAt(line) {
		if strings.HasPrefix(CalleeName(c), prefix) {
			return true
		}
	}
	return false
}

// CalleeName is the last part of what a call calls: Put of pool.Put.
func CalleeName(c *ast.CallExpr) string {
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	case *ast.IndexExpr:
		return CalleeName(&ast.CallExpr{Fun: fun.X})
	}
	return ""
}

// packageOf is the import path of the package whose function a call calls; empty for methods and functions of its own.
func (f *File) packageOf(c *ast.CallExpr) string {
	fun, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	id, ok := fun.X.(*ast.Ident)
	if !ok {
		return ""
	}
	if p, ok := f.info.Uses[id].(*types.PkgName); ok {
		return p.Imported().Path()
	}
	return ""
}

// MakesClosure says whether a function literal begins in a line.
func (f *File) MakesClosure(line int) (yes bool) {
	f.inspect(line, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && f.line(lit.Pos()) == line {
			yes = true
		}
		return !yes
	})
	return yes
}

// text writes an expression on one line.
func text(e ast.Expr) string { return types.ExprString(e) }
