package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// aloneInLoop refuses a slice whose array is seen while it grows: with room from the start all of
// the loop has one array, where before each growth made another. Behind the loop its spare room
// must not be seen either.
func (c *code) aloneInLoop(g *growth) error {
	for _, id := range c.uses(c.fn, g.v) {
		path := way(c.fn, id)
		if c.insideLiteral(path, g.v) {
			return c.refuse(id.Pos(), "%s is used by a function literal", g.v.Name())
		}
		inside := g.loop.Body.Pos() <= id.Pos() && id.End() <= g.loop.Body.End()
		if inside && !c.plainUse(path, g.v) {
			return c.refuse(id.Pos(), "the array of %s is seen here while it grows", g.v.Name())
		}
		if !inside && id.Pos() > g.loop.End() {
			if err := c.spareUnseen(path, g.v); err != nil {
				return err
			}
		}
		if !inside && id.Pos() < g.loop.End() && id.Pos() > g.loop.Pos() {
			return c.refuse(id.Pos(), "%s is used by the loop itself", g.v.Name())
		}
	}
	return nil
}

// insideLiteral says whether a use is in a function literal that its variable is not of.
func (c *code) insideLiteral(path []ast.Node, v *types.Var) bool {
	return slices.ContainsFunc(path, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		return ok && (v.Pos() < lit.Pos() || v.Pos() > lit.End())
	})
}

// plainUse accepts, in the loop, the append itself, len, and elements that are read or written.
func (c *code) plainUse(path []ast.Node, v *types.Var) bool {
	switch p := path[len(path)-2].(type) {
	case *ast.AssignStmt:
		return c.appended(p) == v
	case *ast.CallExpr:
		if c.builtin(p) == "len" {
			return true
		}
		s, ok := path[len(path)-3].(ast.Stmt)
		return ok && c.appended(s) == v && c.localOf(p.Args[0]) == v &&
			!slices.ContainsFunc(p.Args[1:], func(e ast.Expr) bool { return e == path[len(path)-1] })
	case *ast.IndexExpr:
		if p.X != path[len(path)-1] {
			return false
		}
		return c.elementCopied(path[:len(path)-1])
	}
	return false
}

// elementCopied says that what an index expression names is read as a value or assigned: no
// address of it is taken, also not by a method or by slicing an array.
func (c *code) elementCopied(path []ast.Node) bool {
	for i := len(path) - 2; i >= 0; i-- {
		child := path[i+1].(ast.Expr)
		switch p := path[i].(type) {
		case *ast.UnaryExpr:
			return p.Op != token.AND
		case *ast.SliceExpr:
			_, isArray := c.info.Types[child].Type.Underlying().(*types.Array)
			return !isArray
		case *ast.SelectorExpr:
			s := c.info.Selections[p]
			if s == nil || s.Kind() != types.FieldVal {
				return false
			}
		case *ast.ParenExpr, *ast.IndexExpr:
			if _, isArray := c.info.Types[child].Type.Underlying().(*types.Array); !isArray {
				if _, paren := p.(*ast.ParenExpr); !paren {
					return true // an element behind a reference, or an index
				}
			}
		default:
			return true
		}
	}
	return false
}

// spareUnseen refuses, after the loop, what shows the spare room of a slice: cap, an append to
// another name, and slicing beyond the length.
func (c *code) spareUnseen(path []ast.Node, v *types.Var) error {
	id := path[len(path)-1]
	switch p := path[len(path)-2].(type) {
	case *ast.CallExpr:
		if c.builtin(p) == "cap" {
			return c.refuse(p.Pos(), "cap(%s) would be another one", v.Name())
		}
		if c.builtin(p) == "append" && p.Args[0] == id {
			s, ok := path[len(path)-3].(ast.Stmt)
			if !ok || c.appended(s) != v {
				return c.refuse(p.Pos(), "%s is appended to under another name, which its spare room would show",
					v.Name())
			}
		}
	case *ast.SliceExpr:
		if p.X == id && (p.High != nil || p.Slice3) {
			return c.refuse(p.Pos(), "a slice of %s may reach into its spare room", v.Name())
		}
	}
	return nil
}

// nilUnseen says that no use of a slice tells nil from empty, as JSON does.
func (c *code) nilUnseen(g *growth) bool {
	for _, id := range c.uses(c.fn, g.v) {
		path := way(c.fn, id)
		ok := false
		switch p := path[len(path)-2].(type) {
		case *ast.CallExpr:
			name := c.builtin(p)
			ok = name == "len" || name == "append" && p.Ellipsis.IsValid() && p.Args[0] != id ||
				name == "append" && p.Args[0] == id || nilBlind[c.calls(p)]
		case *ast.AssignStmt:
			ok = c.appended(p) == g.v
		case *ast.RangeStmt:
			ok = p.X == id
		case *ast.IndexExpr:
			ok = p.X == id
		}
		if !ok {
			return false
		}
	}
	return true
}

// nilBlind are functions that treat a nil slice as an empty one.
var nilBlind = map[string]bool{
	"strings.Join": true, "bytes.Join": true, "sort.Strings": true, "sort.Ints": true, "sort.Float64s": true,
	"sort.Slice":       true,
	"sort.SliceStable": true, "slices.Sort": true, "slices.SortFunc": true, "slices.SortStableFunc": true,
	"slices.Reverse":  true,
	"slices.Contains": true, "slices.Index": true,
}
