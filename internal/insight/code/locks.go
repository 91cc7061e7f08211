package code

import (
	"go/ast"
	"go/types"
	"strings"
)

// Lock is a mutex that a line runs under.
type Lock struct {
	// Key tells locks apart: the field of a type or the variable that it is. text is what the line of Lock calls it.
	Key, Text string
	Line      int // of Lock
}

// LocksAt are the mutexes that the function around a line holds there. RLock does not count: others can read at the
// same time. An Unlock in a branch without the line does not count either: it is on another path.
func (f *File) LocksAt(line int) []Lock {
	fn := f.Function(line)
	if fn == nil {
		return nil
	}
	var held []Lock
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
				held = without(held, l.Key)
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

func without(held []Lock, key string) (rest []Lock) {
	for _, l := range held {
		if l.Key != key {
			rest = append(rest, l)
		}
	}
	return rest
}

// lockCall is the mutex of a call of Lock or Unlock, by the method's name: the types of package sync are not read. A
// method that the user's module declares itself is left out.
func (f *File) lockCall(c *ast.CallExpr) (l Lock, method string, ok bool) {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || len(c.Args) > 0 || f.info.Uses[s.Sel] != nil {
		return l, "", false
	}
	l = Lock{Text: types.ExprString(s.X), Line: f.line(c.Pos())}
	l.Key = l.Text
	switch x := ast.Unparen(s.X).(type) {
	case *ast.SelectorExpr: // c.mu: the field of a type
		if t := f.info.TypeOf(x.X); t != nil {
			l.Key = strings.TrimPrefix(t.String(), "*") + "." + x.Sel.Name
		}
	case *ast.Ident: // a variable, or a value with a mutex in it
		if o := f.info.Uses[x]; o != nil && o.Pkg() != nil && o.Parent() != o.Pkg().Scope() {
			l.Key = strings.TrimPrefix(o.Type().String(), "*")
		}
	}
	return l, s.Sel.Name, true
}

// ReadsUnderLock says whether the function only reads between the call of Lock in a line and its end or Unlock: it sets
// nothing but variables of its own, and calls only functions of packages and the language's own.
func (f *File) ReadsUnderLock(line int) bool {
	fn := f.Function(line)
	if fn == nil || !f.Calls(line, "Lock") {
		return false
	}
	end := fn.Body.End()
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			return false
		case *ast.CallExpr:
			if CalleeName(n) == "Unlock" && f.line(n.Pos()) >= line && n.Pos() < end {
				end = n.Pos()
			}
		}
		return true
	})
	reads := true
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() >= end {
			return false
		}
		if f.line(n.Pos()) <= line {
			return true
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if id, ok := e.(*ast.Ident); !ok || f.isPackageLevel(id) {
					reads = false
				}
			}
		case *ast.IncDecStmt:
			if id, ok := n.X.(*ast.Ident); !ok || f.isPackageLevel(id) {
				reads = false
			}
		case *ast.SendStmt:
			reads = false
		case *ast.CallExpr:
			if s, method := n.Fun.(*ast.SelectorExpr); method && f.packageOf(n) == "" && s.Sel.Name != "Unlock" {
				reads = false
			}
			if name := CalleeName(n); name == "delete" || name == "clear" || name == "copy" {
				reads = false
			}
		}
		return true
	})
	return reads
}
