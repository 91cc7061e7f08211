package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gohone/hone/prof/symbol"
)

// overData says whether a loop goes over elements that are there when it begins, or over the rows of a query.
func (f *File) overData(loop ast.Stmt) bool {
	switch l := loop.(type) {
	case *ast.RangeStmt:
		if t := f.info.TypeOf(l.X); t != nil {
			_, channel := t.Underlying().(*types.Chan)
			return !channel
		}
		return true
	case *ast.ForStmt:
		switch cond := ast.Unparen(l.Cond).(type) {
		case *ast.BinaryExpr:
			return cond.Op == token.LSS || cond.Op == token.LEQ || cond.Op == token.GTR || cond.Op == token.GEQ ||
				cond.Op == token.NEQ && text(cond.Y) != "nil"
		case *ast.CallExpr:
			return CalleeName(cond) == "Next"
		}
	}
	return false
}

// Chained says that the innermost loop around a line goes on with what a call in it has given, as pages name the cursor
// of the next one: none of its turns can begin before the one before it ends.
func (f *File) Chained(line int) (yes bool) {
	around := f.loops(line)
	if len(around) == 0 {
		return false
	}
	loop, ok := around[len(around)-1].(*ast.ForStmt)
	if !ok {
		return false
	}
	cond, ok := loop.Cond.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	cursor := f.variable(cond.X)
	given := map[*types.Var]bool{} // by a call that gets the cursor
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || cursor == nil {
			return true
		}
		c, called := a.Rhs[0].(*ast.CallExpr)
		called = called && slices.ContainsFunc(c.Args, func(e ast.Expr) bool { return f.variable(e) == cursor })
		for i, to := range a.Lhs {
			switch o := f.variableSet(to); {
			case o == cursor:
				yes = yes || called || given[f.named(a.Rhs[min(i, len(a.Rhs)-1):])]
			case called && o != nil:
				given[o] = true
			}
		}
		return true
	})
	return yes
}

// DataLoop says whether a line is in a loop that comes to it again, and whether the innermost one goes over data.
func (f *File) DataLoop(line int) (inLoop, overData bool) {
	around := f.repeating(line)
	n := len(around)
	return n > 0, n > 0 && f.overData(around[n-1])
}

// CalledForEach is the line that calls the function around a place for each element of data, one after the other. All
// calls of it in its package have to be in loops over data; the line is that of the first. Goroutines do not count.
func (f *File) CalledForEach(at Place) (by Place, yes bool) {
	fn := f.Function(int(at.Line))
	if fn == nil {
		return by, false
	}
	for _, c := range f.callsOf(fn) {
		in := &File{f.Package, f.files[c.made.Place.File]}
		line := int(c.made.Place.Line)
		if _, overData := in.DataLoop(line); !overData || c.in == nil || in.Chained(line) || in.apart(line, c.expr) {
			return Place{}, false
		}
		if !yes {
			by, yes = Place{functionName(symbol.PackagePath(at.Function), c.in), c.made.Place.File, c.made.Place.Line}, true
		}
	}
	return by, yes
}

// apart says whether a call in a line is made by a function literal, which may run at another time.
func (f *File) apart(line int, call ast.Expr) (yes bool) {
	f.enclosing(line, func(n ast.Node) {
		lit, ok := n.(*ast.FuncLit)
		yes = yes || ok && lit.Pos() <= call.Pos() && call.End() <= lit.End()
	})
	return yes
}

// ElementLoop is DataLoop, also for loops over elements whose end is not seen to be there when they begin.
func (f *File) ElementLoop(line int) (inLoop, overElements bool) {
	around := f.repeating(line)
	n := len(around)
	return n > 0, n > 0 && (f.walked(around[n-1]) != nil || f.overData(around[n-1]))
}

// VariesInLoop says whether an expression is a part of the element that the innermost loop around a line is at.
func (f *File) VariesInLoop(line int, e ast.Expr) bool {
	around := f.loops(line)
	n := len(around)
	return n > 0 && f.variesWith(e, around[n-1:])
}

// OverItems says whether a line is in a loop over what comes from a channel.
func (f *File) OverItems(line int) bool {
	for _, loop := range f.loops(line) {
		if r, ok := loop.(*ast.RangeStmt); ok {
			if t := f.info.TypeOf(r.X); t != nil {
				if _, channel := t.Underlying().(*types.Chan); channel {
					return true
				}
			}
		}
	}
	return f.rangesOverChannel(line)
}

// rangesOverChannel says whether a loop over a channel begins in a line, where it takes.
func (f *File) rangesOverChannel(line int) (yes bool) {
	f.inspect(line, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && f.line(r.Pos()) == line {
			if t := f.info.TypeOf(r.X); t != nil {
				_, yes = t.Underlying().(*types.Chan)
			}
		}
		return !yes
	})
	return yes
}

// DefersInLoop says whether the function around a line defers in a loop.
func (f *File) DefersInLoop(line int) (yes bool) {
	f.inspect(line, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok && f.InLoop(f.line(d.Pos())) {
			yes = true
		}
		return !yes
	})
	return yes
}

// DefersAt says whether a defer in a loop begins in a line.
func (f *File) DefersAt(line int) (yes bool) {
	f.inspect(line, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok && f.line(d.Pos()) == line && f.InLoop(line) {
			yes = true
		}
		return !yes
	})
	return yes
}
