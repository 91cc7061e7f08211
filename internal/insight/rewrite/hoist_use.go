package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// sharable refuses a value that calls cannot share, by what becomes of it: a method that changes
// it, or a way out of sight. methods are those that may be called; nil means all.
func (c *code) sharable(call *ast.CallExpr, methods []string) error {
	if methods == nil {
		return nil // it cannot be changed
	}
	path := way(c.fn, call)
	parent := path[len(path)-2]
	switch p := parent.(type) {
	case *ast.SelectorExpr:
		return c.sharedMethod(p, methods)
	case *ast.ExprStmt:
		return nil
	case *ast.AssignStmt:
		if len(p.Rhs) != 1 {
			return c.refuse(p.Pos(), "the value is one of several that are assigned together")
		}
		return c.sharedVariable(p.Lhs[0], methods)
	case *ast.ValueSpec:
		if len(p.Values) != 1 {
			return c.refuse(p.Pos(), "the value is one of several that are declared together")
		}
		return c.sharedVariable(p.Names[0], methods)
	}
	return c.refuse(call.Pos(),
		"the value goes where it might be changed: it can be shared only where its uses are seen")
}

// sharedVariable looks at all that happens to the variable that a value is assigned to.
func (c *code) sharedVariable(e ast.Expr, methods []string) error {
	if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
		return nil
	}
	v := c.localOf(e)
	if v == nil {
		return c.refuse(e.Pos(), "%s outlives the call: it may be changed elsewhere", c.text(e))
	}
	for _, id := range c.uses(c.fn, v) {
		path := way(c.fn, id)
		switch p := path[len(path)-2].(type) {
		case *ast.SelectorExpr:
			if err := c.sharedMethod(p, methods); err != nil {
				return err
			}
		case *ast.BinaryExpr:
			if !c.isNil(p.X) && !c.isNil(p.Y) {
				return c.refuse(id.Pos(), "%s is compared: a shared value is equal to itself", id.Name)
			}
		case *ast.AssignStmt:
			if !slices.ContainsFunc(p.Lhs, func(e ast.Expr) bool { return e == id }) {
				return c.refuse(id.Pos(), "%s gets another name here: it may be changed by that", id.Name)
			}
		default:
			return c.refuse(id.Pos(), "%s leaves %s here: it may be changed elsewhere", id.Name, c.fn.Name.Name)
		}
	}
	return nil
}

// sharedMethod accepts the call of one of the methods, and no method value.
func (c *code) sharedMethod(s *ast.SelectorExpr, methods []string) error {
	if !slices.Contains(methods, s.Sel.Name) {
		return c.refuse(s.Sel.Pos(), "%s may change the value, which calls would share", s.Sel.Name)
	}
	return nil
}

func (c *code) isNil(e ast.Expr) bool { return c.info.Types[e].IsNil() }

// methodCall is the method of a chain and what it is called on; nil for other calls.
func methodCall(e ast.Expr) (on ast.Expr, name *ast.Ident, call *ast.CallExpr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil, nil, nil
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil, nil, nil
	}
	return s.X, s.Sel, call
}

// assigned says whether a variable is written below a node, but for its declaration, or its
// address is taken.
func (c *code) assigned(below ast.Node, v types.Object) *ast.Ident {
	var found *ast.Ident
	note := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && c.info.Uses[id] == v && found == nil {
			found = id
		}
	}
	ast.Inspect(below, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				note(e)
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		case *ast.RangeStmt:
			if n.Key != nil {
				note(n.Key)
			}
			if n.Value != nil {
				note(n.Value)
			}
		}
		return true
	})
	return found
}
