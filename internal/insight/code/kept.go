package code

import (
	"go/ast"
	"go/types"
)

// GoesTo says where a value goes that a line makes, or that it gets from a call of a function: whether it is stored in
// what outlives the function around the line, and whether that returns it. callee is empty for what the line makes.
func (f *File) GoesTo(line int, callee string) (stored, returned bool, function string) {
	fn := f.Function(line)
	if fn == nil {
		return false, false, ""
	}
	w := &way{File: f, fn: fn, has: map[types.Object]bool{}}
	if callee == "" {
		w.fromLine(line)
	} else {
		w.fromCall(line, callee)
	}
	w.walk()
	return w.stored, w.returned, fn.Name.Name
}

// way is where a value goes in a function.
type way struct {
	*File
	fn               *ast.FuncDecl
	has              map[types.Object]bool // variables that hold it, or a part of it
	call             *ast.CallExpr         // whose result it is; nil if it is made here
	stored, returned bool
}

// fromLine begins with the variables that a line defines, or whose methods it calls.
func (w *way) fromLine(line int) {
	ast.Inspect(w.fn, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && w.line(id.Pos()) == line {
			if o := w.info.Defs[id]; o != nil {
				w.has[o] = true
			}
		}
		if sel, ok := n.(*ast.SelectorExpr); ok && w.line(sel.Pos()) == line {
			if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && w.isLocal(id) {
				w.has[w.info.Uses[id]] = true
			}
		}
		return true
	})
}

// fromCall begins with the result of a call in a line.
func (w *way) fromCall(line int, callee string) {
	for _, c := range w.CallsAt(line) {
		if CalleeName(c) == callee {
			w.call = c
		}
	}
}

// isLocal says whether a name is of a variable that the function defines, and no parameter of it.
func (w *way) isLocal(id *ast.Ident) bool {
	o, ok := w.info.Uses[id].(*types.Var)
	return ok && !o.IsField() && w.fn.Body != nil && o.Pos() >= w.fn.Body.Pos() && o.Pos() < w.fn.Body.End()
}

// walk follows the value through assignments, as often as variables are added.
func (w *way) walk() {
	for before := -1; before < len(w.has) && !w.stored; {
		before = len(w.has)
		ast.Inspect(w.fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if len(n.Rhs) == len(n.Lhs) && w.holds(n.Rhs[i]) ||
						len(n.Rhs) == 1 && len(n.Lhs) > 1 && w.holds(n.Rhs[0]) && i == 0 {
						w.assigned(to)
					}
				}
			case *ast.SendStmt:
				w.stored = w.stored || w.holds(n.Value)
			case *ast.ReturnStmt:
				for _, r := range n.Results {
					w.returned = w.returned || w.holds(r)
				}
			}
			return !w.stored
		})
	}
}

// assigned notes where the value is put.
func (w *way) assigned(to ast.Expr) {
	to = ast.Unparen(to)
	if id, ok := to.(*ast.Ident); ok {
		if o := w.objectOf(id); o != nil {
			w.has[o] = true
			w.stored = w.stored || w.isPackageLevel(id)
		}
		return
	}
	root, ok := rootIdent(to)
	switch {
	case !ok:
	case w.isPackageLevel(root), w.isReceiver(root), w.partOfKept(root):
		w.stored = true
	case w.isLocal(root):
		w.has[w.info.Uses[root]] = true
	}
}

func (w *way) objectOf(id *ast.Ident) types.Object {
	if o := w.info.Defs[id]; o != nil {
		return o
	}
	return w.info.Uses[id]
}

// partOfKept says whether a local variable is taken out of something that outlives the function: p of p :=
// s.pages[name].
func (w *way) partOfKept(id *ast.Ident) (yes bool) {
	o := w.info.Uses[id]
	ast.Inspect(w.fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Rhs) != 1 || len(a.Lhs) == 0 {
			return !yes
		}
		if to, ok := a.Lhs[0].(*ast.Ident); ok && w.objectOf(to) == o {
			if from, ok := ast.Unparen(a.Rhs[0]).(*ast.IndexExpr); ok {
				yes = yes || w.outlives(from.X)
			}
		}
		return !yes
	})
	return yes
}

// holds says whether an expression is the value, a part of it, or something that has it. Conversions and other calls
// copy.
func (w *way) holds(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		o := w.info.Uses[e]
		return o != nil && w.has[o]
	case *ast.SliceExpr:
		return w.holds(e.X)
	case *ast.UnaryExpr:
		return w.holds(e.X)
	case *ast.SelectorExpr:
		return w.holds(e.X)
	case *ast.KeyValueExpr:
		return w.holds(e.Value)
	case *ast.CompositeLit:
		for _, one := range e.Elts {
			if w.holds(one) {
				return true
			}
		}
	case *ast.CallExpr:
		return e == w.call || w.sharing(e)
	}
	return false
}

// sharing says whether a call returns memory of the value: append, and the methods of buffers that do not copy.
func (w *way) sharing(c *ast.CallExpr) bool {
	switch name := CalleeName(c); name {
	case "append":
		for i, arg := range c.Args {
			if w.holds(arg) && !(i > 0 && c.Ellipsis.IsValid()) { // append(x, y...) copies y
				return true
			}
		}
	case "Bytes", "String":
		sel, ok := c.Fun.(*ast.SelectorExpr)
		if !ok || !w.holds(sel.X) {
			return false
		}
		of := w.info.TypeOf(sel.X)
		return name == "Bytes" || of != nil && (of.String() == "strings.Builder" || of.String() == "*strings.Builder")
	}
	return false
}
