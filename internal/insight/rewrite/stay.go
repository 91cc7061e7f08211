package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// stay finds out whether a value is used only until a function returns: it is then safe to give it
// to the next call.
type stay struct {
	*code
	seen  map[*types.Var]bool
	depth int
	from  token.Pos // what is deferred before this runs too late; not set in functions that are called
}

// deepest is how many calls into functions of the package are followed.
const deepest = 4

// variable refuses a variable whose value leaves the body of its function. Where it is given to
// another variable of the body, that one must stay, too.
func (s *stay) variable(v *types.Var, body *ast.BlockStmt) error {
	if s.seen[v] {
		return nil
	}
	s.seen[v] = true
	for _, id := range s.uses(body, v) {
		path := way(body, id)
		if err := s.literal(path, v); err != nil {
			return err
		}
		if err := s.use(path, body); err != nil {
			return err
		}
	}
	return nil
}

// literal accepts uses in a function literal only where it is deferred on the spot.
func (s *stay) literal(path []ast.Node, v *types.Var) error {
	for i, n := range path {
		lit, ok := n.(*ast.FuncLit)
		if !ok || lit.Pos() < v.Pos() && v.Pos() < lit.End() {
			continue
		}
		call, isCall := path[i-1].(*ast.CallExpr)
		if isCall && i >= 2 && call.Fun == lit {
			if _, deferred := path[i-2].(*ast.DeferStmt); deferred {
				continue
			}
		}
		return s.refuse(lit.Pos(), "a function literal uses %s: it may run after the return", v.Name())
	}
	for _, n := range path {
		switch n := n.(type) {
		case *ast.GoStmt:
			return s.refuse(n.Pos(), "a goroutine uses %s: it may run after the return", v.Name())
		case *ast.DeferStmt:
			if n.Pos() < s.from {
				return s.refuse(n.Pos(),
					"%s is used by what is deferred here, which would run after the compressor is put back", v.Name())
			}
		}
	}
	return nil
}

// use accepts one use, by what is around it.
func (s *stay) use(path []ast.Node, body *ast.BlockStmt) error {
	id := path[len(path)-1].(ast.Expr)
	switch p := path[len(path)-2].(type) {
	case *ast.SelectorExpr:
		if len(path) >= 3 {
			if call, ok := path[len(path)-3].(*ast.CallExpr); ok && call.Fun == p {
				return nil // a method of its own
			}
		}
		if sel := s.info.Selections[p]; sel != nil && sel.Kind() == types.FieldVal {
			return nil // a field, which Reset sets again
		}
	case *ast.CallExpr:
		return s.argument(p, id, path[:len(path)-1], body)
	case *ast.BinaryExpr:
		if s.isNil(p.X) || s.isNil(p.Y) {
			return nil
		}
	case *ast.AssignStmt:
		return s.given(p, id, body)
	case *ast.ValueSpec:
		if len(p.Names) == 1 && len(p.Values) == 1 {
			return s.variable(s.info.Defs[p.Names[0]].(*types.Var), body)
		}
	}
	return s.refuse(id.Pos(), "%s leaves the function here, and may be used after the return", s.text(id))
}

// given follows a value that is assigned to another local variable.
func (s *stay) given(a *ast.AssignStmt, id ast.Expr, body *ast.BlockStmt) error {
	i := slices.Index(a.Rhs, id)
	if i < 0 {
		return nil // it is assigned to
	}
	if len(a.Lhs) == len(a.Rhs) {
		if v := s.localOf(a.Lhs[i]); v != nil && v.Pos() > body.Pos() && v.Pos() < body.End() {
			return s.variable(v, body)
		}
	}
	return s.refuse(id.Pos(), "%s is kept outside of the function here", s.text(id))
}

// argument follows a value into a call.
func (s *stay) argument(call *ast.CallExpr, id ast.Expr, path []ast.Node, body *ast.BlockStmt) error {
	if s.conversion(call) { // io.Writer(zw)
		return s.result(path, body)
	}
	f := s.callee(call)
	name := nameOf(f)
	switch {
	case usesOnly[name]:
		return nil
	case wraps[name]:
		return s.result(path, body)
	case f != nil && f.Pkg() == s.pkg:
		return s.into(f, slices.Index(call.Args, id), id)
	}
	return s.refuse(id.Pos(), "%s is given to %s, which may keep it", s.text(id), s.text(call.Fun))
}

// result follows what holds the value now: the result of a call at the end of the path. It may be
// the operand of a method call or the value of a local variable.
func (s *stay) result(path []ast.Node, body *ast.BlockStmt) error {
	if len(path) < 2 {
		return nil
	}
	if _, ok := path[len(path)-2].(*ast.ExprStmt); ok {
		return nil
	}
	return s.use(path, body)
}

// into follows a value into a function of the package, whose parameter must stay.
func (s *stay) into(f *types.Func, i int, id ast.Expr) error {
	if s.depth == deepest {
		return s.refuse(id.Pos(), "%s is passed on through many functions", s.text(id))
	}
	decl := s.declaration(f)
	params := f.Signature().Params()
	if decl == nil || decl.Body == nil || i < 0 || i >= params.Len() ||
		f.Signature().Variadic() && i == params.Len()-1 {
		return s.refuse(id.Pos(), "%s is given to %s, which may keep it", s.text(id), f.Name())
	}
	inner := &stay{code: s.code, seen: s.seen, depth: s.depth + 1}
	return inner.variable(params.At(i), decl.Body)
}

// declaration is that of a function of the package.
func (c *code) declaration(f *types.Func) *ast.FuncDecl {
	f = f.Origin()
	for _, s := range c.files {
		for _, d := range s.file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && c.info.Defs[fn.Name] == f {
				return fn
			}
		}
	}
	return nil
}

// usesOnly are functions that use a writer until they return.
var usesOnly = map[string]bool{
	"fmt.Fprint": true, "fmt.Fprintf": true, "fmt.Fprintln": true, "io.WriteString": true, "io.Copy": true,
	"io.CopyN": true, "io.CopyBuffer": true,
	"encoding/binary.Write": true, "text/template.Template.Execute": true,
	"text/template.Template.ExecuteTemplate": true,
	"html/template.Template.Execute":         true, "html/template.Template.ExecuteTemplate": true,
	"bytes.Buffer.WriteTo":   true,
	"strings.Reader.WriteTo": true, "bytes.Reader.WriteTo": true, "encoding/json.Indent": true,
}

// wraps are functions whose result holds the writer that they are given.
var wraps = map[string]bool{
	"encoding/json.NewEncoder": true, "encoding/xml.NewEncoder": true, "encoding/csv.NewWriter": true,
	"encoding/gob.NewEncoder": true,
	"bufio.NewWriter":         true, "bufio.NewWriterSize": true,
}
