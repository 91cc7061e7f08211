package advice

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// searchInLoop says what a line searches for each element of a loop, as a clause; empty if it does not.
func (f *sourceFile) searchInLoop(line int) string {
	around := f.loops(line)
	if len(around) == 0 {
		return ""
	}
	if c := f.searchCall(line); c != nil && !f.variesWith(c.Args[0], around) {
		return fmt.Sprintf("slices.%s searches %s for each element of a loop", calleeName(c), text(c.Args[0]))
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

// searchCall is the call in a line that searches a slice from its beginning; nil if there is none.
func (f *sourceFile) searchCall(line int) *ast.CallExpr {
	for _, c := range f.callsAt(line) {
		if f.packageOf(c) == "slices" && len(c.Args) > 0 &&
			slices.Contains([]string{"Contains", "ContainsFunc", "Index", "IndexFunc"}, calleeName(c)) {
			return c
		}
	}
	return nil
}

// searchLoop says whether a line is in the only loop of a function that looks for one element.
func (f *sourceFile) searchLoop(line int) bool {
	around := f.loops(line)
	return len(around) == 1 && f.walked(around[0]) != nil && f.searching(around[0])
}

// walked is the data that a loop goes over: x of range x, and of i < len(x); nil if that is not seen.
func (f *sourceFile) walked(loop ast.Stmt) ast.Expr {
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

// variesWith says whether data is a part of the element that one of the loops is at: rows of a table are walked once.
func (f *sourceFile) variesWith(data ast.Expr, loops []ast.Stmt) (yes bool) {
	names := map[string]bool{}
	for _, l := range loops {
		if r, ok := l.(*ast.RangeStmt); ok {
			for _, e := range []ast.Expr{r.Key, r.Value} {
				if id, ok := e.(*ast.Ident); ok {
					names[id.Name] = true
				}
			}
		}
		if s, ok := l.(*ast.ForStmt); ok {
			if a, ok := s.Init.(*ast.AssignStmt); ok {
				for _, e := range a.Lhs {
					if id, ok := e.(*ast.Ident); ok {
						names[id.Name] = true
					}
				}
			}
		}
		// What the body makes anew for each element varies, too; what it only appends to does not.
		ast.Inspect(l, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if ok && a.Tok == token.DEFINE {
				for _, e := range a.Lhs {
					if id, ok := e.(*ast.Ident); ok {
						names[id.Name] = true
					}
				}
			}
			return true
		})
	}
	ast.Inspect(data, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && names[id.Name] {
			yes = true
		}
		return !yes
	})
	return yes
}

// searching says whether a loop compares elements and acts when one fits: it ends, or notes that it was found.
func (f *sourceFile) searching(loop ast.Stmt) (yes bool) {
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
		if c, ok := n.(*ast.CallExpr); ok && slices.Contains([]string{"Equal", "EqualFold", "Compare"}, calleeName(c)) {
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

// sortsKept names what a line sorts, if that outlives the call: a field or a variable of the package.
func (f *sourceFile) sortsKept(line int) string {
	for _, c := range f.callsAt(line) {
		if p := f.packageOf(c); p != "sort" && p != "slices" || len(c.Args) == 0 {
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
			if from := f.copyOf(id.Name, line); from != nil {
				return "a copy of " + text(from)
			}
		}
	}
	return ""
}

// sortsForFirst names what a line sorts if the function goes on with the first elements of it only: x of x[:n].
func (f *sourceFile) sortsForFirst(line int) (what string) {
	for _, c := range f.callsAt(line) {
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
func (f *sourceFile) cuts(name string, line int) (yes bool) {
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
func (f *sourceFile) copyOf(name string, line int) (from ast.Expr) {
	ast.Inspect(f.function(line).Body, func(n ast.Node) bool {
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
func (f *sourceFile) collected(e, otherwise ast.Expr) ast.Expr {
	c, ok := e.(*ast.CallExpr)
	if !ok || len(c.Args) == 0 {
		return otherwise
	}
	switch calleeName(c) {
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
	if c, ok := a.Rhs[0].(*ast.CallExpr); ok && calleeName(c) == "append" {
		return text(a.Lhs[0])
	}
	if x, ok := a.Lhs[0].(*ast.IndexExpr); ok {
		return text(x.X)
	}
	return ""
}

// outlives says whether an expression is of a field of something that was not made here, or a variable of the package.
func (f *sourceFile) outlives(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		id, ok := e.X.(*ast.Ident)
		if !ok {
			return f.outlives(e.X)
		}
		return f.isPackageLevel(id) || f.isReceiver(id)
	case *ast.Ident:
		return f.isPackageLevel(e)
	}
	return false
}

// lasts says whether an expression is, or is a part of, what more than one request has: of what outlives its function,
// or of a variable that a function literal captures, where no request runs.
func (f *sourceFile) lasts(e ast.Expr) bool {
	id, ok := rootIdent(e)
	return ok && (f.isPackageLevel(id) || f.isReceiver(id) || f.isCaptured(id))
}

// isCaptured says whether a function literal captures the variable of a name from a function that is not seen to run
// under load itself, and that takes no request.
func (f *sourceFile) isCaptured(id *ast.Ident) bool {
	o, fn := f.info.Uses[id], f.function(f.line(id.Pos()))
	if o == nil || fn == nil || f.entered[fn] || takesRequest(fn) || o.Pos() < fn.Type.Pos() || o.Pos() > fn.End() {
		return false
	}
	within := func(n ast.Node, p token.Pos) bool { return n.Pos() <= p && p < n.End() }
	uses, defines := false, false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			uses, defines = uses || within(lit, id.Pos()), defines || within(lit, o.Pos())
		}
		return true
	})
	return uses && !defines
}

func (f *sourceFile) isPackageLevel(id *ast.Ident) bool {
	o, ok := f.info.Uses[id].(*types.Var)
	return ok && o.Parent() != nil && o.Pkg() != nil && o.Parent() == o.Pkg().Scope()
}

// isReceiver says whether a name is the receiver of the function around it, of a type that no function makes which is
// seen to run under load: what a request makes ends with it.
func (f *sourceFile) isReceiver(id *ast.Ident) bool {
	o, fn := f.info.Uses[id], f.function(f.line(id.Pos()))
	if o == nil || fn == nil || fn.Recv == nil || o.Pos() < fn.Recv.Pos() || o.Pos() > fn.Recv.End() {
		return false
	}
	t := o.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	kept := true
	f.declarations(func(d ast.Decl) {
		if running, ok := d.(*ast.FuncDecl); ok && f.runs[running] && f.makes(running, t) {
			kept = false
		}
	})
	return kept
}

// makes says whether a function makes a value of a type, by a literal or by new.
func (f *sourceFile) makes(fn *ast.FuncDecl, t types.Type) (yes bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			yes = yes || f.isType(n, t)
		case *ast.CallExpr:
			yes = yes || calleeName(n) == "new" && len(n.Args) == 1 && f.isType(n.Args[0], t)
		}
		return !yes
	})
	return yes
}

func (f *sourceFile) isType(e ast.Expr, t types.Type) bool {
	of := f.info.TypeOf(e)
	return of != nil && types.Identical(of, t)
}
