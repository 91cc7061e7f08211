package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// onlyWrites refuses a loop in which more happens than that its values are written: a round that
// waits, reads, or ends the function would leave in the buffer what was sent before.
func (c *code) onlyWrites(b *buffering) error {
	var fault error
	say := func(at token.Pos, format string, args ...any) {
		if fault == nil {
			fault = c.refuse(at, format, args...)
		}
	}
	if r, ok := b.loop.(*ast.RangeStmt); ok {
		switch c.info.Types[r.X].Type.Underlying().(type) {
		case *types.Chan, *types.Signature:
			say(r.X.Pos(),
				"the loop waits for its next value, or runs other code for it: what is written has to go out before")
		}
	} else if f := b.loop.(*ast.ForStmt); f.Cond == nil {
		say(f.Pos(), "the loop has no end of its own")
	}
	ast.Inspect(b.loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt, *ast.SendStmt, *ast.LabeledStmt:
			say(n.Pos(), "the loop does more than to write here")
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				say(n.Pos(), "the loop waits here: what is written has to go out before")
			}
		case *ast.BranchStmt:
			if n.Label != nil || n.Tok == token.GOTO {
				say(n.Pos(), "the loop is left here")
			}
		case *ast.CallExpr:
			if c.writtenTo(n) == b.w {
				b.calls = append(b.calls, n)
			} else if what := c.mayWait(n, 0); what != "" {
				say(n.Pos(), "%s may wait, or may not return: what is written has to go out before", what)
			}
		}
		return true
	})
	for _, id := range c.uses(b.loop, b.w) {
		if !b.writesWith(c, id) {
			say(id.Pos(), "%s is used for more than to write", b.w.Name())
		}
	}
	return fault
}

// writesWith says whether a use of the writer is one of the writes.
func (b *buffering) writesWith(c *code, id *ast.Ident) bool {
	for _, call := range b.calls {
		if on, _, _ := methodCall(call); on == id && !writes[c.calls(call)] ||
			writes[c.calls(call)] && call.Args[0] == id {
			return true
		}
	}
	return false
}

// quick are packages whose functions compute, and neither wait nor call back.
var quick = map[string]bool{
	"strconv": true, "strings": true, "bytes": true, "unicode": true, "unicode/utf8": true, "math": true,
	"math/bits": true, "html": true,
	"encoding/hex": true, "encoding/base64": true, "encoding/binary": true, "net/url": true, "path": true,
	"errors": true,
}

// quickNames are single functions of other packages.
var quickNames = map[string]bool{
	"fmt.Sprintf": true, "fmt.Sprint": true, "fmt.Sprintln": true, "fmt.Errorf": true, "fmt.Appendf": true,
	"fmt.Append": true,
	"time.Now":   true, "time.Since": true, "time.Time.Format": true, "time.Time.Unix": true,
	"time.Time.UnixNano":   true,
	"time.Time.Sub":        true,
	"time.Duration.String": true, "time.Time.UTC": true, "sort.Strings": true, "slices.Sort": true,
	"encoding/json.Marshal": true,
	"log.Print":             true, "log.Printf": true, "log.Println": true,
}

// mayWait names a call that is not known to compute and return; empty if it is.
func (c *code) mayWait(call *ast.CallExpr, depth int) string {
	if c.conversion(call) {
		return ""
	}
	if b := c.builtin(call); b != "" {
		if b == "panic" || b == "print" || b == "println" {
			return b
		}
		return ""
	}
	f := c.callee(call)
	name := nameOf(f)
	switch {
	case f == nil:
		return c.text(call.Fun)
	case f.Name() == "Error" && f.Signature().Params().Len() == 0 && f.Pkg() == nil:
		return "" // of an error
	case quickNames[name], f.Pkg() != nil && quick[f.Pkg().Path()] && !strings.Contains(name, "Func"):
		return ""
	case f.Pkg() == c.pkg && depth < deepest:
		if decl := c.declaration(f); decl != nil && decl.Body != nil && c.computes(decl.Body, depth+1) {
			return ""
		}
	}
	return c.text(call.Fun)
}

// computes says that a function of the package neither waits nor writes.
func (c *code) computes(body *ast.BlockStmt, depth int) bool {
	ok := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt, *ast.SendStmt:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.ForStmt:
			ok = ok && n.Cond != nil
		case *ast.CallExpr:
			ok = ok && c.mayWait(n, depth) == ""
		}
		return ok
	})
	return ok
}

// errorsOf finds out what the loop does with the errors of its writes, which is then done with that
// of the flush: nothing, or the same for all, ending the function.
func (c *code) errorsOf(b *buffering) error {
	ignored, handled := 0, 0
	allowed := map[ast.Stmt]bool{} // returns that the handlers hold
	for _, call := range b.calls {
		handler, v, err := c.handlerOf(b, call)
		switch {
		case err != nil:
			return err
		case handler == nil:
			ignored++
			continue
		}
		handled++
		if b.handler != nil && c.text(b.handler) != c.text(handler) {
			return c.refuse(handler.Pos(), "the errors of the writes are handled in different ways")
		}
		b.handler, b.errName, b.errOutside = handler, v.Name(), v.Pos() < b.loop.Pos()
		for _, r := range collect(handler, func(*ast.ReturnStmt) bool { return true }) {
			allowed[r] = true
		}
	}
	if ignored > 0 && handled > 0 {
		return c.refuse(b.handler.Pos(), "the errors of some writes are handled, and of some ignored")
	}
	for _, r := range collect(b.loop, func(*ast.ReturnStmt) bool { return true }) {
		if !allowed[r] {
			return c.refuse(r.Pos(), "the function returns here, and what was written has to go out before")
		}
	}
	if b.handler == nil {
		return nil
	}
	return c.handlesOutside(b)
}

// handlerOf is the block that handles the error of a write, and the variable of the error; nil if the error is ignored.
func (c *code) handlerOf(b *buffering, call *ast.CallExpr) (handler *ast.BlockStmt, v *types.Var, err error) {
	path := way(b.loop, call)
	switch p := path[len(path)-2].(type) {
	case *ast.ExprStmt:
		return nil, nil, nil
	case *ast.AssignStmt:
		if len(p.Lhs) != 2 || len(p.Rhs) != 1 || c.text(p.Lhs[0]) != "_" {
			return nil, nil, c.refuse(p.Pos(), "the number of bytes that were written is used")
		}
		if c.text(p.Lhs[1]) == "_" {
			return nil, nil, nil
		}
		v = c.localOf(p.Lhs[1])
		check := checkBehind(path, p)
		if v == nil || check == nil || check.Else != nil || !c.isNotNil(check.Cond, v) {
			return nil, nil, c.refuse(p.Pos(), "the error of this write is not handled at once")
		}
		return check.Body, v, nil
	}
	return nil, nil, c.refuse(call.Pos(), "the result of this write goes elsewhere")
}

// checkBehind is the if statement that an assignment is the head of, or that follows it.
func checkBehind(path []ast.Node, a *ast.AssignStmt) *ast.IfStmt {
	around := path[len(path)-3]
	if check, ok := around.(*ast.IfStmt); ok && check.Init == a {
		return check
	}
	list := statements(around)
	for i, s := range list {
		if s == a && i+1 < len(list) {
			check, ok := list[i+1].(*ast.IfStmt)
			if ok && check.Init == nil {
				return check
			}
		}
	}
	return nil
}

// isNotNil says that a condition is v != nil.
func (c *code) isNotNil(e ast.Expr, v *types.Var) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && b.Op == token.NEQ && c.localOf(b.X) == v && c.isNil(b.Y)
}

// handlesOutside refuses a handler that cannot stand after the loop: one that needs variables of
// the loop, goes on with it, or does not end the function.
func (c *code) handlesOutside(b *buffering) error {
	list := b.handler.List
	if len(list) == 0 {
		return c.refuse(b.handler.Pos(), "the error of a write is dropped, and the loop goes on")
	}
	if _, ends := list[len(list)-1].(*ast.ReturnStmt); !ends {
		return c.refuse(b.handler.Pos(), "the function goes on after an error of a write")
	}
	if branch := collect(b.handler, func(*ast.BranchStmt) bool { return true }); len(branch) > 0 {
		return c.refuse(branch[0].Pos(), "an error of a write continues the loop")
	}
	for _, id := range collect(b.handler, func(*ast.Ident) bool { return true }) {
		v, ok := c.info.Uses[id].(*types.Var)
		if ok && !v.IsField() && v.Name() != b.errName && b.loop.Pos() <= v.Pos() && v.Pos() < b.loop.End() &&
			(v.Pos() < b.handler.Pos() || v.Pos() > b.handler.End()) {
			return c.refuse(id.Pos(), "%s is of the loop, and the error of the flush comes after it", id.Name)
		}
	}
	return nil
}
