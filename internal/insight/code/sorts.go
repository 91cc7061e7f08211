package code

import (
	"go/ast"
	"go/token"
	"go/types"
)

// SortsKept names what a line sorts, if that outlives the call, and its order does not depend on the call: a field or a
// variable of the package, or a copy of one that is not changed before.
func (f *File) SortsKept(line int) string {
	for _, c := range f.CallsAt(line) {
		if p := f.packageOf(c); p != "sort" && p != "slices" || len(c.Args) == 0 {
			continue
		}
		if f.ordersByCall(c) {
			continue
		}
		arg := ast.Unparen(c.Args[0])
		if conv, ok := arg.(*ast.CallExpr); ok && len(conv.Args) == 1 { // sort.Sort(byName(s.items))
			arg = conv.Args[0]
		}
		if f.outlives(arg) {
			return text(arg)
		}
		if id, ok := arg.(*ast.Ident); ok {
			if from := f.copyOf(id.Name, line); from != nil && !f.changesBefore(id.Name, line) {
				return "a copy of " + text(from)
			}
		}
	}
	return ""
}

// ordersByCall says whether the function that compares, a literal, reads a variable of the function around it, other
// than what is sorted: a place to which the distance counts, a column that the user chose.
func (f *File) ordersByCall(sort *ast.CallExpr) (yes bool) {
	sorted, _ := rootIdent(sort.Args[0])
	for _, arg := range sort.Args[1:] {
		less, ok := ast.Unparen(arg).(*ast.FuncLit)
		if !ok {
			continue
		}
		ast.Inspect(less.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || sorted != nil && id.Name == sorted.Name {
				return true
			}
			o, ok := f.info.Uses[id].(*types.Var)
			of := f.Function(f.line(id.Pos()))
			yes = yes || ok && !o.IsField() && of != nil && of.Type.Params.Pos() <= o.Pos() && o.Pos() < less.Pos()
			return true
		})
	}
	return yes
}

// changesBefore says whether a line before the given one changes elements of a local slice.
func (f *File) changesBefore(name string, line int) (yes bool) {
	changed := func(e ast.Expr) {
		if _, whole := e.(*ast.Ident); whole {
			return
		}
		if id, ok := rootIdent(e); ok && id.Name == name && f.line(e.Pos()) < line {
			yes = true
		}
	}
	copied := "" // elements that are only copied into the slice
	f.inspect(line, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if copied = onlyFills(n.Body); copied == name {
				return false
			}
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				changed(to)
			}
		case *ast.IncDecStmt:
			changed(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				changed(n.X)
			}
		}
		return true
	})
	return yes
}

// SortsForFirst names what a line sorts if the function goes on with the first elements of it only: x of x[:n].
func (f *File) SortsForFirst(line int) (what string) {
	for _, c := range f.CallsAt(line) {
		if p := f.packageOf(c); p != "sort" && p != "slices" || len(c.Args) == 0 {
			continue
		}
		sorted, other := text(c.Args[0]), false
		f.inspect(line, func(n ast.Node) bool {
			if n == nil || f.line(n.End()) <= line {
				return true
			}
			switch n := n.(type) {
			case *ast.SliceExpr:
				if text(n.X) == sorted && n.Low == nil && n.High != nil && f.line(n.Pos()) > line {
					what = sorted
				}
				return text(n.X) != sorted
			case *ast.RangeStmt:
				other = other || text(n.X) == sorted && f.line(n.Pos()) > line
			case *ast.ReturnStmt:
				for _, e := range n.Results {
					other = other || text(e) == sorted
				}
			}
			return true
		})
		if other && !f.cuts(sorted, line) {
			what = ""
		}
	}
	return what
}

// cuts says whether a line after the given one makes a slice shorter: x = x[:n].
func (f *File) cuts(name string, line int) (yes bool) {
	f.inspect(line, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && f.line(a.Pos()) > line && len(a.Lhs) == 1 && len(a.Rhs) == 1 &&
			text(a.Lhs[0]) == name {
			part, ok := a.Rhs[0].(*ast.SliceExpr)
			yes = yes || ok && text(part.X) == name && part.Low == nil
		}
		return true
	})
	return yes
}

// copyOf is what outlives the call and a local slice of that name was copied from, before a line: by slices.Clone,
// append or copy; nil if it is none.
func (f *File) copyOf(name string, line int) (from ast.Expr) {
	ast.Inspect(f.Function(line).Body, func(n ast.Node) bool {
		if n == nil || f.line(n.Pos()) > line {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) != 1 || len(n.Rhs) != 1 || text(n.Lhs[0]) != name {
				return true
			}
			from = f.collected(n.Rhs[0], from)
		case *ast.RangeStmt:
			if one := onlyFills(n.Body); one == name && f.outlives(n.X) {
				from = n.X
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "copy" && len(n.Args) == 2 && text(n.Args[0]) == name &&
				f.outlives(n.Args[1]) {
				from = n.Args[1]
			}
		}
		return true
	})
	return from
}

// collected is what the call of a function that copies all elements is given, if that outlives the call; else
// otherwise.
func (f *File) collected(e, otherwise ast.Expr) ast.Expr {
	c, ok := e.(*ast.CallExpr)
	if !ok || len(c.Args) == 0 {
		return otherwise
	}
	switch CalleeName(c) {
	case "Clone", "append", "Collect", "Values", "Keys":
		last := c.Args[len(c.Args)-1]
		if f.outlives(last) {
			return last
		}
		return f.collected(last, otherwise)
	}
	return otherwise
}

// onlyFills is the slice whose elements a block of one statement sets, or to which it appends; empty if it does
// anything else.
func onlyFills(b *ast.BlockStmt) string {
	if len(b.List) != 1 {
		return ""
	}
	a, ok := b.List[0].(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return ""
	}
	if c, ok := a.Rhs[0].(*ast.CallExpr); ok && CalleeName(c) == "append" {
		return text(a.Lhs[0])
	}
	if x, ok := a.Lhs[0].(*ast.IndexExpr); ok {
		return text(x.X)
	}
	return ""
}
