package code

import (
	"go/ast"
	"go/token"
	"go/types"
)

// flushes are the calls of Flush on a variable in a function from a position on, and those of the package's functions
// that it is handed to.
func (f *File) flushes(fn *ast.FuncDecl, o *types.Var, from token.Pos, seen []*ast.FuncDecl) (all []flushCall) {
	var around []ast.Node
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		around = append(around, n)
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if n.Sel.Name == "Flush" && f.variable(n.X) == o {
				all = append(all, f.flushTime(around, o, from))
			}
		case *ast.CallExpr:
			f.taking(n, o, append(seen, fn), func(callee *ast.FuncDecl, parameter *types.Var) {
				for _, c := range f.flushes(callee, parameter, callee.Pos(), append(seen, fn)) {
					if c.when != flushEach && c.when != flushDeferred {
						all = append(all, c)
						continue
					}
					all = append(all, f.flushTime(around, o, from))
				}
			})
		}
		return true
	})
	if fn.Recv != nil && o.IsField() && f.onlyDeferred(fn) {
		for i := range all {
			all[i].when = max(all[i].when, flushDeferred)
		}
	}
	return all
}

// flushTime is when the call runs that is the innermost of nodes. from is where the writer is made.
func (f *File) flushTime(around []ast.Node, o *types.Var, from token.Pos) flushCall {
	c := flushCall{line: f.line(around[len(around)-1].Pos())}
	if value, ok := around[len(around)-1].(*ast.SelectorExpr); ok {
		if call, ok := around[len(around)-2].(*ast.CallExpr); !ok || call.Fun != value {
			return c // a method value: it runs whenever its owner calls it
		}
	}
	deferred, breaks, inLoop := false, true, false
	for i := len(around) - 2; i >= 0; i-- {
		switch n := around[i].(type) {
		case *ast.DeferStmt:
			deferred = true
		case *ast.FuncLit:
			if n.Pos() <= from && from < n.End() {
				return f.flushInLoop(c, around[:i+1], from, deferred, inLoop)
			}
			if deferred || i < 2 || !isDeferred(around[i-2]) {
				return flushCall{line: c.line} // it runs whenever the literal does
			}
		case *ast.ReturnStmt:
			c.when = max(c.when, flushEnding)
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			breaks = false
		case *ast.CaseClause:
			c.ending(n.Body, false)
		case *ast.CommClause:
			c.ending(n.Body, false)
		case *ast.IfStmt:
			if around[i+1] == n.Body {
				c.ending(n.Body.List, breaks)
				if c.when == flushEach && f.counts(n.Cond, o) {
					c.when, c.cond = flushInBranch, text(n.Cond)
				}
			} else if other, ok := n.Else.(*ast.BlockStmt); ok && around[i+1] == n.Else {
				c.ending(other.List, breaks)
			}
		case *ast.ForStmt, *ast.RangeStmt:
			inLoop = inLoop || n.Pos() > from && !f.overData(n.(ast.Stmt))
			breaks = true
		}
	}
	return f.flushInLoop(c, around, from, deferred, inLoop)
}

func (c *flushCall) ending(list []ast.Stmt, breaks bool) {
	if c.when == flushEach && ends(list, breaks) {
		c.when = flushEnding
	}
}

// flushInLoop completes what is known of a call by the loops of the function, or literal, that is the first or
// last of nodes.
func (f *File) flushInLoop(c flushCall, around []ast.Node, from token.Pos, deferred, inLoop bool) flushCall {
	if deferred {
		return flushCall{line: c.line, when: flushDeferred}
	}
	if c.when == flushEnding && !inLoop && !f.hasAnswerLoop(around[0], from) {
		return flushCall{line: c.line} // it returns with each answer
	}
	if c.when == flushEach && !inLoop && f.hasAnswerLoop(around[0], from) {
		c.when = flushOutside
	}
	return c
}

// hasAnswerLoop says whether a loop that answers requests comes after a position, outside of further function
// literals.
func (f *File) hasAnswerLoop(in ast.Node, from token.Pos) (yes bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Pos() <= from && from < n.End()
		case *ast.ForStmt, *ast.RangeStmt:
			yes = yes || n.Pos() > from && !f.overData(n.(ast.Stmt))
		}
		return !yes
	})
	return yes
}

// onlyDeferred says whether the package calls a method only by defer.
func (f *File) onlyDeferred(fn *ast.FuncDecl) bool {
	calls, deferred := 0, 0
	f.declarations(func(d ast.Decl) {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if f.info.Uses[n.Sel] == f.info.Defs[fn.Name] {
					calls++
				}
			case *ast.DeferStmt:
				if s, ok := n.Call.Fun.(*ast.SelectorExpr); ok && f.info.Uses[s.Sel] == f.info.Defs[fn.Name] {
					deferred++
				}
			}
			return true
		})
	})
	return deferred > 0 && calls == deferred
}

// counts says whether a condition rests on how much was written, or on the time, and on nothing that waits to
// be read: the
// writer's own methods, the rest of a division, the age of something, a variable that the function counts up.
func (f *File) counts(cond ast.Expr, writer *types.Var) (yes bool) {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	switch b.Op {
	case token.LAND, token.LOR:
		return f.counts(b.X, writer) && f.counts(b.Y, writer)
	case token.EQL, token.GTR, token.GEQ, token.LSS, token.LEQ:
	default:
		return false
	}
	for _, e := range []ast.Expr{b.X, b.Y} {
		switch e := ast.Unparen(e).(type) {
		case *ast.BinaryExpr:
			yes = yes || e.Op == token.REM
		case *ast.CallExpr:
			s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
			own := ok && f.variable(s.X) == writer && (s.Sel.Name == "Buffered" || s.Sel.Name == "Available")
			if !own && (f.packageOf(e) != "time" || CalleeName(e) != "Since") {
				return false // it may ask whether more requests wait
			}
			yes = true
		case *ast.Ident, *ast.SelectorExpr:
			yes = yes || f.countedUp(f.variable(e))
		}
	}
	return yes
}

// countedUp says whether a statement of the package adds to a variable.
func (f *File) countedUp(o *types.Var) (yes bool) {
	if o == nil {
		return false
	}
	f.declarations(func(d ast.Decl) {
		ast.Inspect(d, func(n ast.Node) bool {
			if s, ok := n.(*ast.IncDecStmt); ok && s.Tok == token.INC && f.variable(s.X) == o {
				yes = true
			}
			return !yes
		})
	})
	return yes
}

func isDeferred(n ast.Node) bool {
	_, ok := n.(*ast.DeferStmt)
	return ok
}
