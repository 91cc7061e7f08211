package code

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// Filling is a statement that puts something into what outlives the request: a map, a list, a slice.
type Filling struct {
	Place Place
	// Variable is the name of what is filled, declared where it is declared: without a function.
	Variable string
	Declared Place
	// Appends says that each execution adds one; else a key may be one that is there.
	Appends bool
	// Limit is what the source says of its size.
	Limit Limit
}

// Limit is what keeps a container from growing on, as far as its package says.
type Limit struct {
	// Text is the condition or the call, file and line where it stands; empty where there is none.
	Text string
	File string
	Line int
	// Entries is the number that its length is compared with; 0 where it is not a constant, or something else limits
	// it.
	Entries uint64
}

// FillingsIn are the statements of a function that fill what outlives it.
func (f *File) FillingsIn(fn *ast.FuncDecl) (all []Filling) {
	note := func(n ast.Node, e ast.Expr, appends bool) {
		o := f.variable(e)
		if o == nil || !f.outlivesAt(o, fn, n.Pos()) {
			return
		}
		at := f.fset.Position(o.Pos())
		one := Filling{Place: Place{Line: int64(f.line(n.Pos()))}, Variable: o.Name(), Appends: appends,
			Declared: Place{File: at.Filename, Line: int64(at.Line)}}
		one.Limit = f.limitOf(o, fn, n)
		all = append(all, one)
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if x, ok := ast.Unparen(to).(*ast.IndexExpr); ok && f.isMap(x.X) {
					note(n, x.X, false)
				}
				if len(n.Rhs) != len(n.Lhs) {
					continue
				}
				if c, ok := n.Rhs[i].(*ast.CallExpr); ok && CalleeName(c) == "append" && len(c.Args) > 1 {
					if o := f.variable(c.Args[0]); o != nil && o == f.variable(to) {
						note(n, to, true)
					}
				}
			}
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
				switch sel.Sel.Name {
				case "Store", "LoadOrStore":
					if len(n.Args) == 2 { // of sync.Map; atomics take one
						note(n, sel.X, false)
					}
				case "PushBack", "PushFront":
					note(n, sel.X, true)
				}
			}
		}
		return true
	})
	return all
}

// variable is what an expression names: a variable, or a field; nil for anything else.
func (f *Package) variable(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		o, _ := f.info.Uses[e].(*types.Var)
		return o
	case *ast.SelectorExpr:
		o, _ := f.info.Uses[e.Sel].(*types.Var)
		return o
	case *ast.StarExpr:
		return f.variable(e.X)
	case *ast.UnaryExpr:
		return f.variable(e.X)
	}
	return nil
}

// outlivesAt says whether a variable is there before and after the execution of a place: it is a field, one of the
// package, or one that a function literal has from around it.
func (f *File) outlivesAt(o *types.Var, fn *ast.FuncDecl, at token.Pos) bool {
	if o.IsField() || o.Parent() != nil && o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
		return true
	}
	outside := false
	ast.Inspect(fn, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && lit.Pos() <= at && at < lit.End() {
			outside = o.Pos() < lit.Pos() || o.Pos() >= lit.End() // of the innermost one, which comes last
		}
		return true
	})
	return outside
}

// limitOf is what limits a container that a statement fills: a condition around the statement, or what its package
// does with it.
func (f *File) limitOf(o *types.Var, fn *ast.FuncDecl, fill ast.Node) (limit Limit) {
	note := func(n ast.Node, entries uint64) {
		if limit.Text == "" || entries > 0 && limit.Entries == 0 {
			at := f.fset.Position(n.Pos())
			limit = Limit{Text: types.ExprString(n.(ast.Expr)), File: at.Filename, Line: at.Line, Entries: entries}
		}
	}
	f.declarations(func(d ast.Decl) {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if other := f.comparedLength(n, o); other != nil {
					if entries, constant := f.number(other); !constant || entries > 1 { // x > 0 asks whether there is one
						note(n, entries)
					}
				}
			case *ast.CallExpr:
				if f.takesOut(n, o) {
					note(n, 0)
				}
			case *ast.AssignStmt:
				if e := f.replaces(n, o, d); e != nil {
					note(e, 0)
				}
			}
			return true
		})
	})
	ast.Inspect(fn, func(n ast.Node) bool { // a counter beside it, or a key from a fixed number of them
		switch n := n.(type) {
		case *ast.IfStmt:
			if c, ok := n.Cond.(*ast.BinaryExpr); ok && n.Pos() <= fill.Pos() && fill.Pos() < n.End() &&
				c.Op.Precedence() == token.LSS.Precedence() {
				for _, side := range []ast.Expr{c.X, c.Y} {
					if entries, constant := f.number(side); constant && entries > 1 && c.Op != token.EQL &&
						c.Op != token.NEQ {
						note(c, entries)
					}
				}
			}
		case *ast.BinaryExpr:
			if n.Op == token.REM && fill.Pos() <= n.Pos() && n.Pos() < fill.End() {
				entries, _ := f.number(n.Y)
				note(n, entries)
			}
		}
		return true
	})
	return limit
}

// comparedLength is what the length of a container is compared with; nil where a comparison is of something else.
func (f *Package) comparedLength(b *ast.BinaryExpr, o *types.Var) ast.Expr {
	if b.Op.Precedence() != token.LSS.Precedence() {
		return nil
	}
	length := func(e ast.Expr) bool {
		c, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && len(c.Args) == 1 && CalleeName(c) == "len" && f.variable(c.Args[0]) == o
	}
	switch {
	case length(b.X):
		return b.Y
	case length(b.Y):
		return b.X
	}
	return nil
}

// number is a constant.
func (f *Package) number(e ast.Expr) (n uint64, constantly bool) {
	value := f.info.Types[e].Value
	if value == nil || value.Kind() != constant.Int {
		return 0, false
	}
	n, _ = constant.Uint64Val(value)
	return n, true
}

// takesOut says whether a call may make a container smaller: delete, clear, a method that removes, or a function
// that is handed it.
func (f *Package) takesOut(c *ast.CallExpr, o *types.Var) bool {
	name := CalleeName(c)
	if sel, ok := c.Fun.(*ast.SelectorExpr); ok && f.variable(sel.X) == o {
		return slices.Contains([]string{"Delete", "LoadAndDelete", "CompareAndDelete", "Clear", "Remove", "Init",
			"Reset",
			"Pop"}, name)
	}
	switch name {
	case "len", "cap", "append", "make", "copy", "min", "max":
		return false
	}
	return slices.ContainsFunc(c.Args, func(arg ast.Expr) bool { return f.variable(arg) == o })
}

// replaces is what an assignment puts in the place of a whole container, other than itself with one more; nil where
// it does not. What its constructor or the start of the program puts there is its beginning.
func (f *Package) replaces(a *ast.AssignStmt, o *types.Var, in ast.Decl) ast.Expr {
	fn, ok := in.(*ast.FuncDecl)
	if !ok || a.Tok != token.ASSIGN || fn.Name.Name == "main" || fn.Name.Name == "init" || len(fn.Name.Name) > 2 &&
		(fn.Name.Name[:3] == "New" || fn.Name.Name[:3] == "new") {
		return nil
	}
	for i, to := range a.Lhs {
		if f.variable(to) != o || len(a.Rhs) != len(a.Lhs) {
			continue
		}
		if c, ok := a.Rhs[i].(*ast.CallExpr); ok && CalleeName(c) == "append" && len(c.Args) > 1 &&
			f.variable(c.Args[0]) == o {
			continue
		}
		return a.Rhs[i]
	}
	return nil
}

// FillingsOf are those of the variable that is declared in a line, in all of the package.
func (p *Package) FillingsOf(declared Place) (all []Filling) {
	for name, file := range p.files {
		f := &File{p, file}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			for _, one := range f.FillingsIn(fn) {
				if one.Declared.Line == declared.Line && one.Declared.File == declared.File {
					one.Place.File, one.Place.Function = name, fn.Name.Name
					all = append(all, one)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b Filling) int { return ComparePlaces(a.Place, b.Place) })
	return all
}
