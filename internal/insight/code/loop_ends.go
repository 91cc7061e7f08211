package code

import (
	"go/ast"
	"go/token"
	"slices"
)

// repeating are the loops around a line that come to it for several elements: one that ends right after the line has
// chosen its element before it.
func (f *File) repeating(line int) []ast.Stmt {
	return slices.DeleteFunc(f.loops(line), func(loop ast.Stmt) bool { return f.endsAfter(loop, line) })
}

// endsAfter says whether each way from a line leads out of a loop, without another turn of it: statements that follow
// in the same block end with a return, a break of this loop or a panic, and none of them continues.
func (f *File) endsAfter(loop ast.Stmt, line int) bool {
	var block ast.Stmt = bodyOf(loop)
	breaks := true
	for block != nil {
		list := statementsIn(block)
		i := slices.IndexFunc(list, func(s ast.Stmt) bool { return f.spans(s, line) })
		if i < 0 {
			return false
		}
		if leavesBy(list[i:], breaks) {
			return true
		}
		block, breaks = f.blockIn(list[i], line, breaks)
	}
	return false
}

// leavesBy says whether statements end with one that leaves the loop around them; breaks says that a plain break does.
func leavesBy(list []ast.Stmt, breaks bool) bool {
	for _, s := range list {
		if continues(s) {
			return false
		}
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.BREAK && breaks
	case *ast.ExprStmt:
		c, ok := last.X.(*ast.CallExpr)
		return ok && CalleeName(c) == "panic"
	}
	return false
}

// continues says whether a statement has a continue or a goto, outside of function literals.
func continues(s ast.Stmt) (yes bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok {
			yes = yes || b.Tok == token.CONTINUE || b.Tok == token.GOTO
		}
		_, literal := n.(*ast.FuncLit)
		return !literal
	})
	return yes
}

// blockIn is the outermost block of a statement that has a line, if it is not the line of the statement's head; and
// whether a plain break in it still leaves the loop that is looked at.
func (f *File) blockIn(s ast.Stmt, line int, breaks bool) (in ast.Stmt, _ bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, nil:
			return false
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			if in == nil && f.spans(n, line) {
				breaks = false
			}
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			block := n.(ast.Stmt)
			if in == nil && f.line(block.Pos()) < line && f.spans(block, line) && !ofClauses(block) {
				in = block
			}
		}
		return in == nil
	})
	return in, breaks
}

// ofClauses says whether a block holds the clauses of a switch or a select.
func ofClauses(block ast.Stmt) bool {
	list := statementsIn(block)
	if len(list) == 0 {
		return false
	}
	switch list[0].(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

func statementsIn(block ast.Stmt) []ast.Stmt {
	switch b := block.(type) {
	case *ast.BlockStmt:
		return b.List
	case *ast.CaseClause:
		return b.Body
	case *ast.CommClause:
		return b.Body
	}
	return nil
}
