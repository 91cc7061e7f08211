package advice

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gohone/hone/prof"
)

// framesOfLoop is through how many of the user's functions a loop is looked for around a call.
const framesOfLoop = 3

// dataLoop is the user's frame, from frame number at outwards, whose line is in a loop over data: a helper may lie
// between the loop and the call. -1 if there is none. Loops that serve, which have no end or end with their connection,
// are none.
func (v *View) dataLoop(s *stack, at int) int {
	own := s.own(at)
	for range framesOfLoop {
		if own >= len(s.frames) || s.handsOn(own) {
			return -1
		}
		f := &s.frames[own]
		if file := v.source(f.file); file.file != nil {
			around := file.loops(int(f.line))
			if n := len(around); n > 0 {
				if file.overData(around[n-1]) {
					return own
				}
				return -1 // it serves, or polls
			}
		}
		next := own + 1
		if next >= len(s.frames) || s.frames[next].origin != prof.Own {
			return -1
		}
		own = next
	}
	return -1
}

// overData says whether a loop goes over elements that are there when it begins, or over the rows of a query.
func (f *sourceFile) overData(loop ast.Stmt) bool {
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
			return calleeName(cond) == "Next"
		}
	}
	return false
}

// sameInLoop says whether the call of a library's function, frame number at, gets the same for each element of the loop
// around it, as far as the source says: its arguments and its receiver come from outside of the loop, through the
// functions between.
func (v *View) sameInLoop(s *stack, at int) bool {
	own := s.own(at)
	// sql.Rows.Scan calls strconv, and gets another row
	if own == 0 || own == len(s.frames) || !dependsOnArguments(&s.frames[own-1]) {
		return false
	}
	loop := v.dataLoop(s, own)
	if loop < 0 {
		return false
	}
	var inputs []ast.Expr
	for _, c := range v.callsOf(s, own) {
		inputs = append(inputs, inputsOf(c)...)
	}
	if inputs == nil {
		return false
	}
	for ; own < loop; own++ {
		if inputs = v.handedIn(&s.frames[own], &s.frames[own+1], inputs); inputs == nil {
			return false
		}
	}
	f := &s.frames[loop]
	file := v.source(f.file)
	around := file.loops(int(f.line))
	return !slices.ContainsFunc(inputs, func(e ast.Expr) bool { return file.variesWith(e, around[len(around)-1:]) })
}

// inputsOf are the arguments of a call, and its receiver.
func inputsOf(c *ast.CallExpr) []ast.Expr {
	if s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
		return append([]ast.Expr{s.X}, c.Args...)
	}
	return c.Args
}

// handedIn are the expressions of the caller's line that a function's expressions are made of; nil if one is made of
// anything else than parameters, the receiver, constants, and variables of the package.
func (v *View) handedIn(callee, caller *frame, made []ast.Expr) (from []ast.Expr) {
	file := v.source(callee.file)
	fn := file.function(int(callee.line))
	if fn == nil {
		return nil
	}
	var call *ast.CallExpr
	for _, c := range v.source(caller.file).callsAt(int(caller.line)) {
		if calleeName(c) == fn.Name.Name {
			call = c
		}
	}
	if call == nil {
		return nil
	}
	from, ok := []ast.Expr{}, true
	for _, e := range made {
		ast.Inspect(e, func(n ast.Node) bool {
			id, isName := n.(*ast.Ident)
			if !isName {
				return ok
			}
			o, isVar := file.info.Uses[id].(*types.Var)
			switch {
			case !isVar || o.IsField() || file.isPackageLevel(id):
			default:
				i, args := parameterOf(fn, o), inputsOf(call)
				if fn.Recv == nil {
					args = call.Args // what is before the name is a package
				}
				if i >= 0 && i < len(args) {
					from = append(from, args[i])
				} else {
					ok = false
				}
			}
			return ok
		})
	}
	if !ok {
		return nil
	}
	return from
}

// addsInLoop says whether the user's function of frame number own returns a parameter with something added to it by +,
// and its caller puts that into the variable that it handed over, in a loop over data: the variable grows, and is
// copied each time.
func (v *View) addsInLoop(s *stack, own int) bool {
	if own+1 >= len(s.frames) || s.frames[own+1].origin != prof.Own || v.dataLoop(s, own+1) < 0 {
		return false
	}
	callee, caller := &s.frames[own], &s.frames[own+1]
	file := v.source(callee.file)
	var first []ast.Expr // of the sum that is returned
	file.inspect(int(callee.line), func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 && file.spans(r, int(callee.line)) {
			first = []ast.Expr{firstOfSum(r.Results[0])}
		}
		return true
	})
	handed := v.handedIn(callee, caller, first)
	if len(handed) != 1 {
		return false
	}
	file, assigned := v.source(caller.file), false
	file.inspect(int(caller.line), func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && file.spans(a, int(caller.line)) {
			assigned = assigned || text(a.Lhs[0]) == text(handed[0])
		}
		return true
	})
	return assigned
}

// accumulates says whether a line adds to a field by +=: each call of its function makes the text longer.
func (f *sourceFile) accumulates(line int) (yes bool) {
	f.inspect(line, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ADD_ASSIGN && f.spans(a, line) {
			_, field := ast.Unparen(a.Lhs[0]).(*ast.SelectorExpr)
			yes = yes || field
		}
		return true
	})
	return yes
}

// firstOfSum is a of a + b + c.
func firstOfSum(e ast.Expr) ast.Expr {
	for {
		sum, ok := ast.Unparen(e).(*ast.BinaryExpr)
		if !ok || sum.Op != token.ADD {
			return ast.Unparen(e)
		}
		e = sum.X
	}
}

// parameterOf is the place of a parameter among the inputs of a call of its function: a receiver comes first. -1 if it
// is none.
func parameterOf(fn *ast.FuncDecl, o *types.Var) int {
	i := 0
	for _, list := range []*ast.FieldList{fn.Recv, fn.Type.Params} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				if name.Pos() == o.Pos() {
					return i
				}
				i++
			}
		}
	}
	return -1
}

// inDataLoop is match for stacks whose call is in a loop over data; it returns the frame of the loop.
func (v *View) inDataLoop(match func(*stack) int) func(*stack) int {
	return func(s *stack) int {
		at := match(s)
		if at < 0 {
			return -1
		}
		return v.dataLoop(s, at)
	}
}

// defersInLoop says whether the function around a line defers in a loop.
func (f *sourceFile) defersInLoop(line int) (yes bool) {
	f.inspect(line, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok && f.inLoop(f.line(d.Pos())) {
			yes = true
		}
		return !yes
	})
	return yes
}

// defersAt says whether a defer in a loop begins in a line.
func (f *sourceFile) defersAt(line int) (yes bool) {
	f.inspect(line, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok && f.line(d.Pos()) == line && f.inLoop(line) {
			yes = true
		}
		return !yes
	})
	return yes
}

// overItems says whether a line is in a loop over what comes from a channel.
func (f *sourceFile) overItems(line int) bool {
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
func (f *sourceFile) rangesOverChannel(line int) (yes bool) {
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
