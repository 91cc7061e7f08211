package advice

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/gohone/hone/prof"
)

// computesSame is the user's frame, the outermost one, that calls a function of the user's which gives the same each
// time, as far as the source says; -1 if there is none. Such a function changes nothing, and what it reads is not set
// under load: constants, and fields that only functions set which the profile does not see.
func (v *View) computesSame(s *stack) int {
	for i := len(s.frames) - 1; i > 0; i-- {
		caller, callee := &s.frames[i], &s.frames[i-1]
		if caller.origin != prof.Own || callee.origin != prof.Own || s.handsOn(i) ||
			strings.Contains(callee.name, ".func") {
			continue
		}
		at := callSite{caller.place(), callee.function}
		same, known := v.sameAt[at]
		if !known {
			if v.sameAt == nil {
				v.sameAt = map[callSite]bool{}
			}
			same = v.callsSame(caller, callee)
			v.sameAt[at] = same
		}
		if same && v.dataLoop(s, i) < 0 {
			return i
		}
	}
	return -1
}

// callSite is a line that calls a function.
type callSite struct {
	caller Place
	callee string
}

// callsSame says whether the caller's line gets the same from the callee each time.
func (v *View) callsSame(caller, callee *frame) bool {
	v.markRunning(caller.file)
	v.markRunning(callee.file)
	of := v.source(callee.file)
	fn := of.function(int(callee.line))
	if fn == nil || !v.source(caller.file).handsSame(int(caller.line), fn) {
		return false
	}
	p := &pureness{sourceFile: of, known: map[*ast.FuncDecl]bool{}}
	return p.givesValue(fn) && p.readsOnly(fn) && p.ofSteady(fn) && p.works
}

// handsSame says whether a line calls a function with constants only, or a method of what more than one request has,
// and does not change its result.
func (f *sourceFile) handsSame(line int, fn *ast.FuncDecl) (yes bool) {
	for _, c := range f.callsAt(line) {
		if calleeName(c) != fn.Name.Name {
			continue
		}
		if x, method := ast.Unparen(c.Fun).(*ast.SelectorExpr); method && fn.Recv != nil && !f.lasts(x.X) {
			return false
		}
		if yes = !slices.ContainsFunc(c.Args, func(e ast.Expr) bool { return !f.constant(unconverted(e)) }) &&
			!f.changesResult(line, c); !yes {
			return false
		}
	}
	return yes
}

// changesResult says whether a function changes a variable that it puts the result of a call into: its elements, its
// fields, or by append.
func (f *sourceFile) changesResult(line int, c *ast.CallExpr) (yes bool) {
	var result types.Object
	f.inspect(line, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Rhs) == 1 && ast.Unparen(a.Rhs[0]) == c {
			if id, ok := a.Lhs[0].(*ast.Ident); ok {
				if result = f.info.Defs[id]; result == nil {
					result = f.info.Uses[id]
				}
			}
		}
		return true
	})
	is := func(e ast.Expr) bool {
		id, ok := rootIdent(e)
		return ok && result != nil && f.info.Uses[id] == result
	}
	f.inspect(line, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				if _, whole := to.(*ast.Ident); !whole && is(to) {
					yes = true
				}
			}
		case *ast.IncDecStmt:
			yes = yes || is(n.X)
		case *ast.CallExpr:
			name := calleeName(n)
			changes := name == "append" || name == "copy" || name == "clear" || name == "delete" ||
				name == "Unmarshal" || name == "Decode"
			p := f.packageOf(n)
			if (changes || p == "sort" || p == "slices") && slices.ContainsFunc(n.Args, is) {
				yes = true
			}
		}
		return !yes
	})
	return yes
}
