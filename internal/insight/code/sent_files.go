package code

import (
	"go/ast"
	"go/types"
	"slices"
)

// answerTypes are the types of what an answer is written to, as parameters write them.
var answerTypes = []string{"http.ResponseWriter", "net.Conn", "*net.TCPConn", "*gin.Context", "echo.Context",
	"*echo.Context"}

// SendsFile says whether a line works with a variable that its function sends as an answer: it copies it to what the
// answer is written to, or lets net/http serve it.
func (f *File) SendsFile(line int) (yes bool) {
	fn := f.Function(line)
	if fn == nil {
		return false
	}
	sent := f.sent(fn)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && f.line(id.Pos()) == line {
			yes = yes || sent[f.info.ObjectOf(id)]
		}
		return !yes
	})
	return yes
}

// ReturnsFile says whether a line works with a variable that its function returns, and that the function itself only
// asks for its name, its state and its end: who calls the function reads it.
func (f *File) ReturnsFile(line int) (yes bool) {
	fn := f.Function(line)
	if fn == nil {
		return false
	}
	returned, used := map[types.Object]bool{}, map[types.Object]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				ast.Inspect(e, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && f.info.Uses[id] != nil {
						returned[f.info.Uses[id]] = true
					}
					return true
				})
			}
		case *ast.CallExpr:
			s, ok := n.Fun.(*ast.SelectorExpr)
			if ok && !slices.Contains([]string{"Stat", "Close", "Name"}, s.Sel.Name) {
				f.noteUse(used, s.X)
			}
			for _, arg := range n.Args {
				f.noteUse(used, arg)
			}
		}
		return true
	})
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && f.line(id.Pos()) == line {
			o := f.info.ObjectOf(id)
			if _, variable := o.(*types.Var); variable && id.Name != "err" {
				yes = yes || returned[o] && !used[o]
			}
		}
		return !yes
	})
	return yes
}

func (f *File) noteUse(used map[types.Object]bool, e ast.Expr) {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok && f.info.Uses[id] != nil {
		used[f.info.Uses[id]] = true
	}
}

// sent are the variables of a function that it sends as an answer.
func (f *File) sent(fn *ast.FuncDecl) map[types.Object]bool {
	all := map[types.Object]bool{}
	note := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && f.info.Uses[id] != nil {
			all[f.info.Uses[id]] = true
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := CalleeName(c)
		switch from := f.packageOf(c); {
		case from == "net/http" && name == "ServeContent" && len(c.Args) == 5:
			note(c.Args[4])
		case from == "io" && slices.Contains([]string{"Copy", "CopyN", "CopyBuffer"}, name) && len(c.Args) > 1 &&
			f.answers(fn, c.Args[0]):
			note(c.Args[1])
		case from == "" && name == "WriteTo" && len(c.Args) == 1 && f.answers(fn, c.Args[0]):
			if s, ok := c.Fun.(*ast.SelectorExpr); ok {
				note(s.X)
			}
		}
		return true
	})
	return all
}

// answers says whether an expression is a parameter that an answer is written to, or a part of one: of a function or
// of a literal in it.
func (f *File) answers(fn *ast.FuncDecl, e ast.Expr) (yes bool) {
	id, ok := rootIdent(e)
	if !ok {
		return false
	}
	o := f.info.Uses[id]
	ast.Inspect(fn, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok || o == nil || !slices.Contains(answerTypes, text(field.Type)) {
			return !yes
		}
		for _, name := range field.Names {
			yes = yes || name.Pos() == o.Pos()
		}
		return !yes
	})
	return yes
}
