package rewrite

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// pick returns the node at the line of the place, or the only one of its function. what says what
// is looked for, for the refusal.
func pick[N ast.Node](c *code, found []N, what string) (N, error) {
	var none N
	var here []N
	for _, n := range found {
		if c.lineOf(n.Pos()) <= c.line && c.line <= c.lineOf(n.End()) {
			here = append(here, n)
		}
	}
	switch {
	case len(here) > 0:
		// Of nested ones the innermost: it begins last.
		return slices.MaxFunc(here, func(a, b N) int { return int(a.Pos() - b.Pos()) }), nil
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return none, refuse(c.at.path, c.line, "%s has no %s that is known", c.fn.Name.Name, what)
	}
	var lines []string
	for _, n := range found {
		lines = append(lines, fmt.Sprint(c.lineOf(n.Pos())))
	}
	return none, refuse(c.at.path, c.line, "no %s is on this line; %s has some on lines %s", what, c.fn.Name.Name,
		strings.Join(lines, ", "))
}

// collect returns the nodes of a kind below a node that are accepted.
func collect[N ast.Node](below ast.Node, accept func(N) bool) []N {
	var found []N
	ast.Inspect(below, func(n ast.Node) bool {
		if one, ok := n.(N); ok && accept(one) {
			found = append(found, one)
		}
		return true
	})
	return found
}

// callee is the function or method that a call names, nil for a function value, a conversion or a
// built-in function.
func (c *code) callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	var id *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	f, _ := c.info.Uses[id].(*types.Func)
	return f
}

// nameOf is PACKAGE.FUNCTION or PACKAGE.TYPE.METHOD, with the whole path of the package; empty for
// nil and for methods of types without a name.
func nameOf(f *types.Func) string {
	if f == nil || f.Pkg() == nil {
		return ""
	}
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Pkg().Path() + "." + f.Name()
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return f.Pkg().Path() + "." + n.Obj().Name() + "." + f.Name()
	}
	return ""
}

func (c *code) calls(call *ast.CallExpr) string { return nameOf(c.callee(call)) }

// builtin is the name of the built-in function that is called, empty if it is none.
func (c *code) builtin(call *ast.CallExpr) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if b, ok := c.info.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// conversion says whether a call is a conversion.
func (c *code) conversion(call *ast.CallExpr) bool { return c.info.Types[call.Fun].IsType() }

// localOf is the variable of a function that an expression names; nil for anything else.
func (c *code) localOf(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := c.objectOf(id).(*types.Var)
	if !ok || v.IsField() || v.Parent() == c.pkg.Scope() || v.Parent() == types.Universe || v.Pkg() != c.pkg {
		return nil
	}
	return v
}

func (c *code) objectOf(id *ast.Ident) types.Object {
	if o := c.info.Defs[id]; o != nil {
		return o
	}
	return c.info.Uses[id]
}

// uses are the places below a node that name an object, its declaration left out.
func (c *code) uses(below ast.Node, o types.Object) []*ast.Ident {
	return collect(below, func(id *ast.Ident) bool { return c.info.Uses[id] == o })
}

func (c *code) mentions(below ast.Node, o types.Object) bool { return len(c.uses(below, o)) > 0 }

// way is the chain of nodes from a root down to a node, both included; nil if it is not below.
func way(root, n ast.Node) []ast.Node {
	var path, found []ast.Node
	ast.Inspect(root, func(at ast.Node) bool {
		if found != nil {
			return false
		}
		if at == nil {
			path = path[:len(path)-1]
			return false
		}
		path = append(path, at)
		if at == n {
			found = slices.Clone(path)
		}
		return found == nil
	})
	return found
}

// body is that of the innermost function around a node, a literal included.
func (c *code) body(n ast.Node) *ast.BlockStmt {
	body := c.fn.Body
	for _, at := range way(c.fn, n) {
		if lit, ok := at.(*ast.FuncLit); ok && at != n {
			body = lit.Body
		}
	}
	return body
}

// text constants

// textOf is the value of a constant text; ok is false for anything else.
func (c *code) textOf(e ast.Expr) (text string, ok bool) {
	v := c.info.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// fixed says whether an expression has the same value whenever it is evaluated: it is constant,
// or a package variable that is never assigned, or made of such by conversion and concatenation.
func (c *code) fixed(e ast.Expr) error {
	e = ast.Unparen(e)
	if c.info.Types[e].Value != nil {
		return nil
	}
	switch e := e.(type) {
	case *ast.Ident:
		if v, ok := c.info.Uses[e].(*types.Var); ok && v.Parent() == c.pkg.Scope() {
			return c.neverAssigned(v)
		}
	case *ast.CallExpr:
		if c.conversion(e) && len(e.Args) == 1 {
			return c.fixed(e.Args[0])
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			if err := c.fixed(e.X); err != nil {
				return err
			}
			return c.fixed(e.Y)
		}
	}
	return c.refuse(e.Pos(), "%s is not a constant", c.text(e))
}

// neverAssigned refuses package variables that may change after their initialization: those that
// other packages can assign, that are assigned here, or whose content others can reach.
func (c *code) neverAssigned(v *types.Var) error {
	if v.Exported() && c.pkg.Name() != "main" {
		return c.refuse(v.Pos(), "%s is exported: another package may assign it", v.Name())
	}
	_, isText := v.Type().Underlying().(*types.Basic)
	for _, s := range c.files {
		var bad ast.Node
		ast.Inspect(s.file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || bad != nil || c.info.Uses[id] != v {
				return true
			}
			if !c.readOnlyUse(s.file, id, isText) {
				bad = id
			}
			return true
		})
		if bad != nil {
			return c.refuse(bad.Pos(), "%s may change here", v.Name())
		}
	}
	return nil
}

// readOnlyUse says whether a use of a variable leaves it as it is. A value that is copied where
// it is used, such as a text, can only be assigned or have its address taken; of a slice only a
// conversion and its length are known to leave its content alone.
func (c *code) readOnlyUse(file *ast.File, id *ast.Ident, copied bool) bool {
	path := way(file, id)
	parent := path[len(path)-2]
	switch p := parent.(type) {
	case *ast.AssignStmt:
		return copied && !slices.ContainsFunc(p.Lhs, func(e ast.Expr) bool { return e == id })
	case *ast.UnaryExpr:
		return copied && p.Op != token.AND
	case *ast.IncDecStmt:
		return false
	case *ast.RangeStmt:
		return p.X == id
	case *ast.CallExpr:
		name := c.calls(p)
		return copied || c.conversion(p) || c.builtin(p) == "len" || hashes[name] || readers[name]
	}
	return copied
}

// readers are functions that neither change nor keep the bytes that they are given.
var readers = map[string]bool{"bytes.Equal": true, "bytes.Compare": true, "bytes.Contains": true,
	"crypto/subtle.ConstantTimeCompare": true}

// portable says whether an expression can stand outside of its function: all names in it are
// those of packages and of the package itself.
func (c *code) portable(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		id, isName := n.(*ast.Ident)
		if !isName {
			return true
		}
		switch o := c.info.Uses[id].(type) {
		case *types.PkgName, nil:
		default:
			if o.Parent() != c.pkg.Scope() && o.Parent() != types.Universe && !isMember(o) && o.Pkg() == c.pkg {
				ok = false
			}
		}
		return true
	})
	return ok
}

// isMember says that an object is a field or a method, whose name is found by its type.
func isMember(o types.Object) bool {
	switch o := o.(type) {
	case *types.Var:
		return o.IsField()
	case *types.Func:
		return o.Signature().Recv() != nil
	}
	return false
}
