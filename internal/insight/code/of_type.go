package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// What is read of a type by reflection is the same for all values of the type.

// OfType says whether what a line calls, or what it does itself where callee is empty, depends on nothing but types of
// package reflect, and constants: on the fields of a struct and their tags, and on what is made of them.
func (f *File) OfType(line int, callee string) bool {
	fn := f.Function(line)
	if fn == nil {
		return false
	}
	t := typed{File: f, fn: fn, seen: map[*types.Var]bool{}}
	for _, to := range f.setAt(line) {
		if !t.depends(to) { // a list of values, made in the size of their type
			return false
		}
	}
	t.derived = false
	clear(t.seen)
	if callee != "" {
		for _, c := range f.CallsAt(line) {
			if CalleeName(c) == callee && t.depends(c) && t.derived {
				return true
			}
		}
		return false
	}
	made := f.madeAt(line)
	for _, e := range made {
		if !t.depends(e) {
			return false
		}
	}
	return len(made) > 0 && t.derived
}

// setAt are what the innermost assignment of a line sets, without the blank identifier.
func (f *File) setAt(line int) (set []ast.Expr) {
	f.enclosing(line, func(n ast.Node) {
		var all []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			all = n.Lhs
		case *ast.ValueSpec:
			for _, id := range n.Names {
				all = append(all, id)
			}
		default:
			if _, statement := n.(ast.Stmt); !statement {
				return
			}
		}
		set = nil
		for _, e := range all {
			if id, ok := rootIdent(e); ok && id.Name != "_" {
				set = append(set, id)
			}
		}
	})
	return set
}

// madeAt are the expressions whose values the innermost statement of a line needs: of a loop or a branch those of its
// head.
func (f *File) madeAt(line int) (made []ast.Expr) {
	f.enclosing(line, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			made = n.Rhs
		case *ast.ExprStmt:
			made = []ast.Expr{n.X}
		case *ast.ReturnStmt:
			made = n.Results
		case *ast.ValueSpec:
			made = n.Values
		case *ast.IfStmt:
			made = []ast.Expr{n.Cond}
		case *ast.RangeStmt:
			made = []ast.Expr{n.X}
		case *ast.ForStmt, *ast.SwitchStmt, *ast.SelectStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt:
			made = nil
		}
	})
	return made
}

// typed looks for what expressions of a function depend on. derived is set where one depends on a type.
type typed struct {
	*File
	fn      *ast.FuncDecl
	seen    map[*types.Var]bool
	derived bool
}

// depends says whether an expression depends on types and constants only. A variable of a package may be the place
// where what is made of a type is kept.
func (t *typed) depends(e ast.Expr) bool {
	only := true
	ast.Inspect(e, func(n ast.Node) bool {
		if !only {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			only = false
		case *ast.KeyValueExpr: // the key of a field is a name
			_, name := n.Key.(*ast.Ident)
			only = (name || t.depends(n.Key)) && t.depends(n.Value)
			return false
		case *ast.CallExpr:
			if t.givesType(n) {
				t.derived = true
				return false
			}
		case *ast.SelectorExpr:
			only = t.depends(n.X)
			return false
		case *ast.Ident:
			o, ok := t.info.Uses[n].(*types.Var)
			if !ok {
				o, ok = t.info.Defs[n].(*types.Var)
			}
			if ok {
				only = !t.isPackageLevel(n) && t.dependsVar(o)
			}
		}
		return only
	})
	return only
}

// givesType says whether a call gives the type of a value, or a number of that: the value itself does not matter.
func (t *typed) givesType(c *ast.CallExpr) bool {
	name := CalleeName(c)
	if t.packageOf(c) == "reflect" {
		return name == "TypeOf" || name == "TypeFor"
	}
	s, method := c.Fun.(*ast.SelectorExpr)
	return method && len(c.Args) == 0 && t.info.Uses[s.Sel] == nil &&
		(name == "Type" || name == "NumField" || name == "NumMethod")
}

// dependsVar is depends for a variable: by all that the function puts into it. What is put into it by way of itself
// depends on the rest.
func (t *typed) dependsVar(o *types.Var) bool {
	if t.seen[o] {
		return true
	}
	if d := t.declaredType(o); d != nil {
		switch strings.TrimPrefix(text(d), "*") {
		case "reflect.Type", "reflect.StructField", "reflect.StructTag":
			t.derived = true
			return true
		}
	}
	if t.isParameter(o) {
		return false
	}
	t.seen[o] = true
	only := true
	ast.Inspect(t.fn, func(n ast.Node) bool {
		for _, from := range t.putInto(n, o) {
			only = only && t.depends(from)
		}
		return only
	})
	return only
}

// isParameter says whether a variable is the receiver or a parameter, of the function or of a literal in it.
func (t *typed) isParameter(o *types.Var) (yes bool) {
	ast.Inspect(t.fn, func(n ast.Node) bool {
		var lists []*ast.FieldList
		switch n := n.(type) {
		case *ast.FuncDecl:
			lists = []*ast.FieldList{n.Recv, n.Type.Params}
		case *ast.FuncLit:
			lists = []*ast.FieldList{n.Type.Params}
		}
		for _, l := range lists {
			yes = yes || l != nil && o.Pos() >= l.Pos() && o.Pos() < l.End()
		}
		return !yes
	})
	return yes
}

// putInto are the expressions that a node puts into a variable, or into a part of it.
func (t *typed) putInto(n ast.Node, o *types.Var) (from []ast.Expr) {
	is := func(e ast.Expr) bool {
		id, ok := rootIdent(e)
		return ok && (t.info.Uses[id] == o || t.info.Defs[id] == o)
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			if is(to) {
				from = append(from, n.Rhs[min(i, len(n.Rhs)-1)])
			}
		}
	case *ast.CallExpr: // a method of it, or a function that has its address
		if s, ok := n.Fun.(*ast.SelectorExpr); ok && is(s.X) {
			from = append(from, n.Args...)
		}
		for i, arg := range n.Args {
			if u, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && u.Op == token.AND && is(u.X) {
				from = append(append(append(from, n.Fun), n.Args[:i]...), n.Args[i+1:]...)
			}
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			if t.info.Defs[id] == o && len(n.Values) > 0 {
				from = append(from, n.Values[min(i, len(n.Values)-1)])
			}
		}
	case *ast.RangeStmt:
		if n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value) {
			from = append(from, n.X)
		}
	}
	return from
}
