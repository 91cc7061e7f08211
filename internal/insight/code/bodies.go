package code

import (
	"go/ast"
	"go/token"
)

// LeavesOpen is the line at which a function is left without having closed the body of the answer that a call in a line
// gives it, or handed it on: a return before the first Close, or the call itself if nothing closes it. 0 if there is
// none, or the answer has no name.
func (f *File) LeavesOpen(line int) int {
	answer, failed := f.answerAt(line)
	if answer == "" {
		return 0
	}
	closed, handedOn := token.NoPos, false
	f.inspect(line, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if text(n.Fun) == answer+".Body.Close" && closed == token.NoPos {
				closed = n.Pos()
			}
			if !f.onlyReads(n) {
				for _, arg := range n.Args {
					handedOn = handedOn || isAnswer(arg, answer)
				}
			}
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				handedOn = handedOn || isAnswer(e, answer)
			}
		case *ast.AssignStmt:
			for _, e := range n.Rhs {
				handedOn = handedOn || isAnswer(e, answer)
			}
		case *ast.KeyValueExpr:
			handedOn = handedOn || isAnswer(n.Value, answer)
		}
		return true
	})
	switch {
	case handedOn:
		return 0
	case closed == token.NoPos:
		return line
	}
	leak := 0
	f.inspect(line, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return f.spans(n, line)
		case *ast.IfStmt:
			if failed != "" && f.line(n.Pos()) >= line && names(n.Cond, failed) {
				return false // with an error the answer is nil
			}
		case *ast.ReturnStmt:
			if leak == 0 && f.line(n.Pos()) > line && n.Pos() < closed {
				leak = f.line(n.Pos())
			}
		}
		return true
	})
	return leak
}

// answerAt are the names that a line gives to the two results of a call: resp and err.
func (f *File) answerAt(line int) (answer, failed string) {
	f.inspect(line, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if ok && f.line(a.Pos()) == line && len(a.Lhs) == 2 && len(a.Rhs) == 1 {
			if _, ok := a.Rhs[0].(*ast.CallExpr); ok {
				answer, failed = text(a.Lhs[0]), text(a.Lhs[1])
			}
		}
		return answer == ""
	})
	if answer == "_" {
		return "", ""
	}
	return answer, failed
}

// isAnswer says whether an expression is an answer of net/http, or its body.
func isAnswer(e ast.Expr, answer string) bool { return text(e) == answer || text(e) == answer+".Body" }

// onlyReads says whether a call takes a body to read from it, and does not close it.
func (f *File) onlyReads(c *ast.CallExpr) bool {
	switch f.packageOf(c) {
	case "io", "bufio", "encoding/json", "encoding/xml", "encoding/csv", "encoding/gob":
		return true
	}
	return false
}

// names says whether a condition names a variable.
func names(cond ast.Expr, name string) (yes bool) {
	ast.Inspect(cond, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		yes = yes || ok && id.Name == name
		return !yes
	})
	return yes
}
