package code

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// AtomicAdd is a statement that adds to a word by package sync/atomic and does not use the new value: what several
// elements add can then be added at once.
type AtomicAdd struct {
	// Word is what it adds to, and Index its place in Word where that is a slice or an array; else nil.
	Word, Index ast.Expr
	// Variable is that of Word; nil where it is none of a package of the user's.
	Variable *types.Var
	// Text is the word as the source has it.
	Text string
}

// AtomicAddAt is the statement in a line that adds to an atomic word; nil if there is none. seen says that a profile
// shows a method of sync/atomic at the line, which is needed for a word that another package declares.
func (f *File) AtomicAddAt(line int, seen bool) (a *AtomicAdd) {
	f.enclosing(line, func(n ast.Node) {
		s, ok := n.(*ast.ExprStmt)
		if !ok {
			return
		}
		c, ok := s.X.(*ast.CallExpr)
		if !ok || len(c.Args) == 0 {
			return
		}
		word := ast.Expr(nil)
		switch sel, method := c.Fun.(*ast.SelectorExpr); {
		case f.packageOf(c) == "sync/atomic" && strings.HasPrefix(CalleeName(c), "Add"):
			word = addressed(c.Args[0])
		case method && sel.Sel.Name == "Add" && len(c.Args) == 1 && f.info.Uses[sel.Sel] == nil:
			if t := f.declaredType(f.variable(element(sel.X))); seen || t != nil && strings.Contains(text(t), "atomic.") {
				word = sel.X
			}
		}
		if word == nil {
			return
		}
		one := &AtomicAdd{Word: word, Text: text(word), Variable: f.variable(element(word))}
		if x, ok := ast.Unparen(word).(*ast.IndexExpr); ok {
			if f.isMap(x.X) {
				return // each key has a word of its own
			}
			one.Word, one.Index = element(x), x.Index
		}
		a = one
	})
	return a
}

// element is what an expression of an element of a slice or array is an element of; anything else is itself.
func element(e ast.Expr) ast.Expr {
	for {
		x, ok := ast.Unparen(e).(*ast.IndexExpr)
		if !ok {
			return e
		}
		e = x.X
	}
}

// declaredType is the type with which the package declares a variable or a field; nil where it has none there.
func (p *Package) declaredType(o *types.Var) (t ast.Expr) {
	if o == nil {
		return nil
	}
	named := func(names []*ast.Ident) bool {
		return slices.ContainsFunc(names, func(id *ast.Ident) bool { return p.info.Defs[id] == o })
	}
	for _, file := range p.files {
		if o.Pos() < file.FileStart || o.Pos() >= file.FileEnd {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				if named(n.Names) {
					t = n.Type
				}
			case *ast.ValueSpec:
				if named(n.Names) {
					t = n.Type
				}
			}
			return t == nil
		})
	}
	return t
}

// AddsForAll says whether a line in the loop around it adds to a word for all elements: the word is the same one, or is
// of the same slice or array, and not the one of the element itself, and the loop does not ask for its value. made are
// the expressions that the word is made of, index those of its place in a slice, as that line hands them over.
func (f *File) AddsForAll(line int, word *types.Var, made, index []ast.Expr) bool {
	around := f.loops(line)
	if len(around) == 0 {
		return false
	}
	inner := around[len(around)-1]
	varies := func(e ast.Expr) bool { return f.variesWith(e, []ast.Stmt{inner}) }
	counts := func(e ast.Expr) bool { return f.countsTurns(inner, e) }
	return !slices.ContainsFunc(made, varies) && !slices.ContainsFunc(index, counts) && !f.asksFor(inner, word)
}

// countsTurns says whether an expression is the variable that a loop counts its turns with.
func (f *File) countsTurns(loop ast.Stmt, e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	var set []ast.Expr
	switch l := loop.(type) {
	case *ast.RangeStmt:
		set = []ast.Expr{l.Key}
	case *ast.ForStmt:
		if a, ok := l.Init.(*ast.AssignStmt); ok {
			set = a.Lhs
		}
	}
	return slices.ContainsFunc(set, func(to ast.Expr) bool {
		name, ok := to.(*ast.Ident)
		return ok && name.Name == id.Name
	})
}

// AsksFor says whether the function around a line asks for the value of an atomic word.
func (f *File) AsksFor(line int, word *types.Var) bool {
	fn := f.Function(line)
	return fn != nil && f.asksFor(fn.Body, word)
}

func (f *File) asksFor(in ast.Node, word *types.Var) (yes bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return !yes
		}
		name := CalleeName(c)
		asks := strings.HasPrefix(name, "Load") || strings.HasPrefix(name, "CompareAndSwap") ||
			strings.HasPrefix(name, "Swap")
		if !asks {
			return !yes
		}
		of := c.Args
		if sel, ok := c.Fun.(*ast.SelectorExpr); ok && f.packageOf(c) == "" {
			of = []ast.Expr{sel.X}
		}
		yes = len(of) > 0 && word != nil && f.variable(element(addressed(of[0]))) == word
		return !yes
	})
	return yes
}

// addressed is x of &x; anything else is itself.
func addressed(e ast.Expr) ast.Expr {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok {
		return u.X
	}
	return e
}

// After is the line of the statement that is executed after the one that begins or ends in a line: the next one of its
// block, or of a block around it; of the last one in a loop, the loop itself. 0 where the function ends.
func (f *File) After(line int) (next int) {
	var around []ast.Node
	f.enclosing(line, func(n ast.Node) { around = append(around, n) })
	for i := len(around) - 1; i >= 0; i-- {
		var list []ast.Stmt
		switch n := around[i].(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.ForStmt, *ast.RangeStmt:
			return f.line(n.Pos())
		case *ast.FuncLit:
			return 0
		}
		if at := slices.IndexFunc(list, func(s ast.Stmt) bool { return f.spans(s, line) }); at >= 0 && at+1 < len(list) {
			return f.line(list[at+1].Pos())
		}
	}
	return 0
}
