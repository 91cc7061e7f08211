package code

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
)

// Made is an expression of the source by which something is set, and where it stands.
type Made struct {
	Text  string
	Place Place
}

// mostMade is through how many expressions MadeOf follows a value.
const mostMade = 4

// MadeOf says how a package sets a variable or a field, where one expression does: that expression, and those that set
// the parameters and fields in it, as far as each is the only one.
func (p *Package) MadeOf(o *types.Var) (all []Made) {
	var from *setting
	if o != nil {
		from = p.onlySetting(o)
	}
	for from != nil && len(all) < mostMade {
		all = append(all, from.made)
		from = p.settingIn(from)
	}
	return all
}

// setting is an expression that sets a variable, and the function that it stands in: nil outside of functions.
type setting struct {
	made Made
	expr ast.Expr
	in   *ast.FuncDecl
}

// settingIn is what sets the first name in an expression, or in the arguments of a call, that is set by one expression:
// a parameter by the only call of its function, anything else by itself. nil where there is none.
func (p *Package) settingIn(s *setting) (next *setting) {
	visit := func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if _, literal := n.(*ast.CompositeLit); !ok || next != nil {
			return next == nil && !literal
		}
		o, ok := p.info.Uses[id].(*types.Var)
		if !ok {
			return true
		}
		if s.in != nil && o.Pos() >= s.in.Type.Pos() && o.Pos() < s.in.Type.End() {
			next = p.onlyCall(s.in)
		} else {
			next = p.onlySetting(o)
		}
		if next != nil && next.expr == s.expr {
			next = nil
		}
		return next == nil
	}
	in := []ast.Expr{s.expr}
	if c, ok := s.expr.(*ast.CallExpr); ok {
		in = c.Args
	}
	for _, e := range in {
		ast.Inspect(e, visit)
	}
	return next
}

// onlySetting is the expression that sets a variable or a field; nil where there are none or several.
func (p *Package) onlySetting(o *types.Var) (only *setting) {
	several := false
	p.each(func(name string, in *ast.FuncDecl, n ast.Node) {
		var e ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if (&File{Package: p}).variableSet(to) == o {
					e = n.Rhs[min(i, len(n.Rhs)-1)]
				}
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok && p.info.Uses[id] == o {
				e = n.Value
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if p.info.Defs[id] == o && len(n.Values) > 0 {
					e = n.Values[min(i, len(n.Values)-1)]
				}
			}
		}
		if e != nil {
			several = several || only != nil
			only = p.settingBy(name, in, e)
		}
	})
	if several {
		return nil
	}
	return only
}

// onlyCall is the call of a function of the package; nil where there are none or several.
func (p *Package) onlyCall(fn *ast.FuncDecl) *setting {
	all := p.callsOf(fn)
	if len(all) != 1 {
		return nil
	}
	return all[0]
}

// callsOf are the calls of a function of the package.
func (p *Package) callsOf(fn *ast.FuncDecl) (all []*setting) {
	declared := p.info.Defs[fn.Name]
	p.each(func(name string, in *ast.FuncDecl, n ast.Node) {
		c, ok := n.(*ast.CallExpr)
		if !ok || declared == nil {
			return
		}
		var called *ast.Ident
		switch fun := ast.Unparen(c.Fun).(type) {
		case *ast.Ident:
			called = fun
		case *ast.SelectorExpr:
			called = fun.Sel
		}
		if called != nil && p.info.Uses[called] == declared {
			all = append(all, p.settingBy(name, in, c))
		}
	})
	return all
}

func (p *Package) settingBy(file string, in *ast.FuncDecl, e ast.Expr) *setting {
	at := Place{File: file, Line: int64(p.line(e.Pos()))}
	if in != nil {
		at.Function = in.Name.Name
	}
	return &setting{Made{text(e), at}, e, in}
}

// each visits all nodes of the package, each with its file and the function around it.
func (p *Package) each(visit func(file string, in *ast.FuncDecl, n ast.Node)) {
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		for _, d := range p.files[name].Decls {
			in, _ := d.(*ast.FuncDecl)
			ast.Inspect(d, func(n ast.Node) bool {
				if n != nil {
					visit(name, in, n)
				}
				return true
			})
		}
	}
}
