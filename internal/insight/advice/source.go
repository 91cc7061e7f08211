package advice

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"
)

// sourceFile is a file of the user's, parsed. All its methods answer "no" where the file is not known, so that a rule
// that needs the source is silent without it.
type sourceFile struct {
	*sourcePackage
	file *ast.File // nil if it is not known
}

// source returns the file that a profile names; one without contents if it is not found.
func (v *View) source(name string) *sourceFile {
	if f, ok := v.files[name]; ok {
		return f
	}
	if v.files == nil {
		v.files = map[string]*sourceFile{}
	}
	p := v.packageIn(path.Dir(name))
	f := &sourceFile{p, p.files[name]}
	if f.file == nil { // it is of another build, or the package cannot be listed
		if text, known := v.sourceText(name); known {
			p = p.with(v, name, text)
			f = &sourceFile{p, p.files[name]}
		}
	}
	v.files[name] = f
	return f
}

func (f *sourcePackage) line(p token.Pos) int { return f.fset.Position(p).Line }

// spans says whether a node has the line.
func (f *sourceFile) spans(n ast.Node, line int) bool {
	return f.line(n.Pos()) <= line && line <= f.line(n.End())
}

// function is the declaration around a line; nil if there is none.
func (f *sourceFile) function(line int) *ast.FuncDecl {
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
func (f *sourceFile) inspect(line int, visit func(ast.Node) bool) {
	if fn := f.function(line); fn != nil {
		ast.Inspect(fn.Body, visit)
	}
}

// enclosing visits the nodes around a line in the body of its function, the outermost first.
func (f *sourceFile) enclosing(line int, visit func(ast.Node)) {
	f.inspect(line, func(n ast.Node) bool {
		if n == nil || !f.spans(n, line) {
			return false
		}
		visit(n)
		return true
	})
}

// statementLines is how many lines of a statement are shown.
const statementLines = 4

// statement is the text of the innermost statement around a line, as far as its block or its function literal; empty if
// there is none.
func (v *View) statement(at Place) string {
	f, line := v.source(at.File), int(at.Line)
	text, known := v.sourceText(at.File)
	if !known {
		return ""
	}
	var inner ast.Node
	f.enclosing(line, func(n ast.Node) {
		switch n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		case ast.Stmt:
			inner = n
		}
	})
	if inner == nil {
		return ""
	}
	from, to := f.line(inner.Pos()), f.line(inner.End())
	ast.Inspect(inner, func(n ast.Node) bool {
		if b, ok := n.(*ast.BlockStmt); ok {
			to = min(to, f.line(b.Lbrace))
		}
		return true
	})
	lines := strings.Split(string(text), "\n")
	lines = lines[from-1 : min(to, from-1+statementLines, len(lines))]
	indent := lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], "\t "))]
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], indent)
	}
	return strings.Join(lines, "\n")
}

// loops are those around a line in its function, the outermost first, as far as the innermost function literal.
func (f *sourceFile) loops(line int) (around []ast.Stmt) {
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

func (f *sourceFile) inLoop(line int) bool { return len(f.loops(line)) > 0 }

// callsAt are the calls that begin or end in a line, the outermost first.
func (f *sourceFile) callsAt(line int) (all []*ast.CallExpr) {
	f.enclosing(line, func(n ast.Node) {
		if c, ok := n.(*ast.CallExpr); ok {
			all = append(all, c)
		}
	})
	return all
}

// calls says whether a line calls a function or method of that name.
func (f *sourceFile) calls(line int, name string) bool {
	for _, c := range f.callsAt(line) {
		if calleeName(c) == name {
			return true
		}
	}
	return false
}

// callsPrefix says whether a line calls a function whose name begins so.
func (f *sourceFile) callsPrefix(line int, prefix string) bool {
	for _, c := range f.callsAt(line) {
		if strings.HasPrefix(calleeName(c), prefix) {
			return true
		}
	}
	return false
}

// calleeName is the last part of what a call calls: Put of pool.Put.
func calleeName(c *ast.CallExpr) string {
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	case *ast.IndexExpr:
		return calleeName(&ast.CallExpr{Fun: fun.X})
	}
	return ""
}

// packageOf is the import path of the package whose function a call calls; empty for methods and functions of its own.
func (f *sourceFile) packageOf(c *ast.CallExpr) string {
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

// makesClosure says whether a function literal begins in a line.
func (f *sourceFile) makesClosure(line int) (yes bool) {
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
