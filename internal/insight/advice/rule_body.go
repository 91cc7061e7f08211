package advice

import (
	"go/ast"
	"go/token"

	"github.com/gohone/hone/prof"
)

var unclosedBody = &Rule{
	Name: "unclosed-body", Title: "answers whose body is not closed on each path",
	Looks: "time in net/http as a client, where the source shows a way out of the function on which the body of the " +
		"answer is neither closed nor handed on",
	Change: "Close the body right after the error is looked at: defer resp.Body.Close(). Until it is closed its " +
		"connection cannot be used again, a new one is made for the next request, and two goroutines and their buffers " +
		"stay. Read it to its end, too, if it is not short.",
	Before: "resp, err := client.Do(req)\nif err != nil { return err }\n" +
		"if resp.StatusCode == 404 { return errUnknown }\ndefer resp.Body.Close()",
	After: "resp, err := client.Do(req)\nif err != nil { return err }\ndefer resp.Body.Close()\n" +
		"if resp.StatusCode == 404 { return errUnknown }",
	Find: func(v *View, r *Rule) []*found {
		leaks := map[Place]int{}
		all := v.spendsOn(r, calls(oneOf("net/http.(*Client).*", "net/http.Get", "net/http.Head", "net/http.Post*")),
			func(u *use) string {
				leak := v.source(u.place.File).leavesOpen(int(u.place.Line))
				if leak == 0 {
					return ""
				}
				leaks[u.place] = leak
				return "the body of an answer is not closed, so that its connection is not used again"
			})
		for _, f := range all {
			f.Place.Line = int64(leaks[f.Place])
			if len(all) == 1 { // what the library does in goroutines of its own is for these requests
				for i := range v.stacks {
					if s := &v.stacks[i]; s.own(0) == len(s.frames) && s.find(ofClient) >= 0 {
						f.stacks, f.Cost, f.Gain = append(f.stacks, i), f.Cost+s.cost, f.Gain+s.cost
					}
				}
			}
		}
		return all
	},
}

// ofClient takes what net/http as a client does in goroutines of its own.
func ofClient(f *frame) bool {
	return f.origin == prof.Standard && f.is("net/http.(*persistConn).*", "net/http.(*Transport).dial*",
		"net/http.(*Transport).startDial*", "net/http.(*Transport).queueForDial*")
}

// leavesOpen is the line at which a function is left without having closed the body of the answer that a call in a line
// gives it, or handed it on: a return before the first Close, or the call itself if there is no Close. 0 if there is
// none, or the answer has no name.
func (f *sourceFile) leavesOpen(line int) int {
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
				return false // there is no answer then
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
func (f *sourceFile) answerAt(line int) (answer, failed string) {
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
func (f *sourceFile) onlyReads(c *ast.CallExpr) bool {
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
