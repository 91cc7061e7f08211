package advice

import (
	"go/ast"
	"go/types"
	"strings"
)

// lock is a mutex that a line runs under.
type lock struct {
	// key tells locks apart: the field of a type or the variable that it is. text is what the line of Lock calls it.
	key, text string
	line      int // of Lock
}

// locksAt are the mutexes that the function around a line holds there. RLock does not count: others can read at the
// same time. An Unlock in a branch without the line does not count either: it is on another path.
func (f *sourceFile) locksAt(line int) []lock {
	fn := f.function(line)
	if fn == nil {
		return nil
	}
	var held []lock
	var walk func(ast.Node)
	statements := func(list []ast.Stmt) {
		for _, s := range list {
			if f.spans(s, line) {
				walk(s)
				return
			}
			if f.line(s.Pos()) > line {
				return
			}
			call, ok := s.(*ast.ExprStmt)
			if !ok {
				continue
			}
			c, ok := call.X.(*ast.CallExpr)
			if !ok {
				continue
			}
			if l, method, ok := f.lockCall(c); ok && method == "Lock" {
				held = append(held, l)
			} else if ok && method == "Unlock" {
				held = without(held, l.key)
			}
		}
	}
	walk = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if n == nil || !f.spans(n, line) {
				return false
			}
			switch n := n.(type) {
			case *ast.FuncLit: // it may run later
				held = nil
			case *ast.BlockStmt:
				statements(n.List)
				return false
			case *ast.CaseClause:
				statements(n.Body)
				return false
			case *ast.CommClause:
				statements(n.Body)
				return false
			}
			return true
		})
	}
	walk(fn.Body)
	return held
}

func without(held []lock, key string) (rest []lock) {
	for _, l := range held {
		if l.key != key {
			rest = append(rest, l)
		}
	}
	return rest
}

// lockCall is the mutex of a call of Lock or Unlock, by the method's name: the types of package sync are not read. A
// method that the user's module declares itself is left out.
func (f *sourceFile) lockCall(c *ast.CallExpr) (l lock, method string, ok bool) {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || len(c.Args) > 0 || f.info.Uses[s.Sel] != nil {
		return l, "", false
	}
	l = lock{text: types.ExprString(s.X), line: f.line(c.Pos())}
	l.key = l.text
	switch x := ast.Unparen(s.X).(type) {
	case *ast.SelectorExpr: // c.mu: the field of a type
		if t := f.info.TypeOf(x.X); t != nil {
			l.key = strings.TrimPrefix(t.String(), "*") + "." + x.Sel.Name
		}
	case *ast.Ident: // a variable, or a value with a mutex in it
		if o := f.info.Uses[x]; o != nil && o.Pkg() != nil && o.Parent() != o.Pkg().Scope() {
			l.key = strings.TrimPrefix(o.Type().String(), "*")
		}
	}
	return l, s.Sel.Name, true
}
