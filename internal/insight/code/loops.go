package code

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// SearchInLoop says what a line searches for each element of a loop, as a clause; empty if it does not.
func (f *File) SearchInLoop(line int) string {
	around := f.loops(line)
	if len(around) == 0 {
		return ""
	}
	if c := f.SearchCall(line); c != nil && !f.variesWith(c.Args[0], around) {
		return fmt.Sprintf("slices.%s searches %s for each element of a loop", CalleeName(c), text(c.Args[0]))
	}
	if len(around) < 2 {
		return ""
	}
	inner, outer := around[len(around)-1], around[:len(around)-1]
	data := f.walked(inner)
	if data == nil || f.variesWith(data, outer) || !f.searching(inner) {
		return ""
	}
	if !slices.ContainsFunc(outer, func(s ast.Stmt) bool { return f.walked(s) != nil }) {
		return ""
	}
	return fmt.Sprintf("a loop searches %s for each element of another loop", text(data))
}

// SearchCall is the call in a line that searches a slice from its beginning; nil if there is none.
func (f *File) SearchCall(line int) *ast.CallExpr {
	for _, c := range f.CallsAt(line) {
		if f.packageOf(c) == "slices" && len(c.Args) > 0 &&
			slices.Contains([]string{"Contains", "ContainsFunc", "Index", "IndexFunc"}, CalleeName(c)) {
			return c
		}
	}
	return nil
}

// SearchLoop says whether a line is in the only loop of a function that looks for one element.
func (f *File) SearchLoop(line int) bool {
	around := f.loops(line)
	return len(around) == 1 && f.walked(around[0]) != nil && f.searching(around[0])
}

// walked is the data that a loop goes over: x of range x, and of i < len(x); nil if that is not seen.
func (f *File) walked(loop ast.Stmt) ast.Expr {
	switch l := loop.(type) {
	case *ast.RangeStmt:
		if call, ok := l.X.(*ast.CallExpr); ok {
			return lengthOf(call)
		}
		if _, number := l.X.(*ast.BasicLit); number {
			return nil
		}
		if t := f.info.TypeOf(l.X); t != nil {
			switch t.Underlying().(type) {
			case *types.Chan, *types.Map, *types.Signature:
				return nil
			}
		}
		return l.X
	case *ast.ForStmt:
		if c, ok := l.Cond.(*ast.BinaryExpr); ok && (c.Op == token.LSS || c.Op == token.LEQ || c.Op == token.NEQ) {
			if call, ok := c.Y.(*ast.CallExpr); ok {
				return lengthOf(call)
			}
		}
	}
	return nil
}

// lengthOf is x of len(x).
func lengthOf(c *ast.CallExpr) ast.Expr {
	if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "len" && len(c.Args) == 1 {
		return c.Args[0]
	}
	return nil
}

// variesWith says whether data is a part of the element that one of the loops is at, or of what their bodies set: rows
// of a table are walked once.
func (f *File) variesWith(data ast.Expr, loops []ast.Stmt) (yes bool) {
	set := map[string]bool{}
	for _, l := range loops {
		if r, ok := l.(*ast.RangeStmt); ok {
			noteSet(set, r.Key, r.Value)
		}
		if s, ok := l.(*ast.ForStmt); ok {
			if a, ok := s.Init.(*ast.AssignStmt); ok {
				noteSet(set, a.Lhs...)
			}
		}
		ast.Inspect(l, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if len(n.Rhs) != len(n.Lhs) || !appendsTo(n.Rhs[i], to) {
						noteSet(set, to)
					}
				}
			case *ast.IncDecStmt:
				noteSet(set, n.X)
			case *ast.CallExpr: // an atomic word stays the same variable
				return f.packageOf(n) != "sync/atomic"
			case *ast.UnaryExpr: // rows.Scan(&id), json.Unmarshal(line, &row)
				if n.Op == token.AND {
					noteSet(set, n.X)
				}
			}
			return true
		})
	}
	ast.Inspect(data, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			yes = yes || set[n.Name]
		case *ast.SelectorExpr:
			yes = yes || set[text(n)]
		}
		return !yes
	})
	return yes
}

// noteSet notes variables and fields that are set, by their text.
func noteSet(set map[string]bool, all ...ast.Expr) {
	for _, e := range all {
		switch e := e.(type) {
		case *ast.Ident, *ast.SelectorExpr:
			set[text(e)] = true
		}
	}
}

// appendsTo says whether what is assigned to a variable is itself with elements more: a loop that searches it finds
// all that came before.
func appendsTo(e, to ast.Expr) bool {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && CalleeName(c) == "append" && len(c.Args) > 0 && text(c.Args[0]) == text(to)
}

// searching says whether a loop compares elements and acts when one fits: it ends, or notes that it was found.
func (f *File) searching(loop ast.Stmt) (yes bool) {
	body := bodyOf(loop)
	for _, s := range body.List {
		branch, ok := s.(*ast.IfStmt)
		if !ok || !compares(branch.Cond) && !isCallWithArgument(branch.Cond) {
			continue
		}
		for _, then := range branch.Body.List {
			switch then := then.(type) {
			case *ast.BranchStmt:
				yes = yes || then.Tok != token.CONTINUE || then.Label != nil // a plain continue does not end the loop
			case *ast.ReturnStmt:
				yes = true
			case *ast.AssignStmt:
				yes = yes || len(then.Rhs) == 1 && (text(then.Rhs[0]) == "true" || text(then.Rhs[0]) == "false")
			}
		}
	}
	return yes
}

func bodyOf(loop ast.Stmt) *ast.BlockStmt {
	if r, ok := loop.(*ast.RangeStmt); ok {
		return r.Body
	}
	return loop.(*ast.ForStmt).Body
}

// compares says whether a condition has == or != of two things of which none is nil.
func compares(cond ast.Expr) (yes bool) {
	ast.Inspect(cond, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) && text(b.X) != "nil" &&
			text(b.Y) != "nil" && text(b.X) != "err" {
			yes = true
		}
		if c, ok := n.(*ast.CallExpr); ok && slices.Contains([]string{"Equal", "EqualFold", "Compare"}, CalleeName(c)) {
			yes = true
		}
		return !yes
	})
	return yes
}

// isCallWithArgument says whether a condition is the answer of a call with an argument: same(x, y), x.overlaps(y).
func isCallWithArgument(cond ast.Expr) bool {
	if not, ok := cond.(*ast.UnaryExpr); ok {
		cond = not.X
	}
	c, ok := ast.Unparen(cond).(*ast.CallExpr)
	return ok && len(c.Args) > 0
}
