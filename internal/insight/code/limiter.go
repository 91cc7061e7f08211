package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Limiter is what keeps a rate, in the user's source.
type Limiter struct {
	// Name is what the line that waits calls it; Variable what that names, nil where that is not known.
	Name     string
	Variable *types.Var
	// Pace is what its turns come from: itself, or the ticker of the goroutine that puts tokens into a channel.
	Pace *types.Var
	// Kind is "a ticker", "a channel of tokens", or "a sleep until a time".
	Kind string
}

// LimiterAt is the limiter of the user's own for which a line waits: a ticker, a channel into which a loop of the
// package puts a token for each turn of a ticker or a sleep, or a sleep until a time that is computed. nil if the line
// waits for none.
func (f *File) LimiterAt(line int) *Limiter {
	if f.SleepsUntil(line) {
		return &Limiter{Name: "the sleep", Pace: f.interval(f.Function(line)), Kind: "a sleep until a time"}
	}
	for _, from := range f.receives(line) {
		if t := f.ticks(from); t != nil {
			return &Limiter{Name: text(from), Variable: t, Pace: t, Kind: "a ticker"}
		}
		if o := f.variable(from); o != nil {
			if pace, yes := f.fedByClock(o); yes {
				return &Limiter{Name: text(from), Variable: o, Pace: pace, Kind: "a channel of tokens"}
			}
		}
	}
	return nil
}

// LimiterOf is the limiter of a library for which a line waits by calling a method: nil if the line calls none of that
// name.
func (f *File) LimiterOf(line int, method string) *Limiter {
	for _, c := range f.CallsAt(line) {
		if s, ok := c.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == method {
			o := f.variable(s.X)
			return &Limiter{Name: text(s.X), Variable: o, Pace: o, Kind: "a limiter"}
		}
	}
	return nil
}

// receives are the channels from which a line takes; range loops are left out, which serve or poll.
func (f *File) receives(line int) (all []ast.Expr) {
	f.inspect(line, func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW && f.line(u.Pos()) == line {
			all = append(all, u.X)
		}
		if s, ok := n.(*ast.SelectStmt); ok && f.line(s.Pos()) == line { // a profile has its first line
			for _, c := range s.Body.List {
				if comm := c.(*ast.CommClause).Comm; comm != nil {
					ast.Inspect(comm, func(n ast.Node) bool {
						if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
							all = append(all, u.X)
						}
						return true
					})
				}
			}
		}
		return true
	})
	return all
}

// ticks is the ticker whose channel an expression is: t of t.C, or what time.Tick gave. nil for anything else.
func (f *File) ticks(e ast.Expr) *types.Var {
	if s, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && s.Sel.Name == "C" {
		if o := f.variable(s.X); o != nil && (f.isDeclared(o, "time.Ticker") || f.setBy(o, "time", "NewTicker")) {
			return o
		}
	}
	if o := f.variable(e); o != nil && f.setBy(o, "time", "Tick") {
		return o
	}
	return nil
}

// isDeclared says whether a package declares a variable or a field with a type of that name, or a pointer to it.
func (p *Package) isDeclared(o *types.Var, name string) bool {
	t := p.declaredType(o)
	return t != nil && strings.TrimPrefix(text(t), "*") == name
}

// setBy says whether the only expression that sets a variable is a call of a function of a library.
func (f *File) setBy(o *types.Var, pkg, name string) bool {
	s := f.onlySetting(o)
	if s == nil {
		return false
	}
	c, ok := s.expr.(*ast.CallExpr)
	return ok && f.packageOf(c) == pkg && CalleeName(c) == name
}

// fedByClock says whether all that is put into a channel are tokens, one for each turn of a loop that a clock paces:
// what fills it at the beginning is left out. pace is the ticker, or what a loop sleeps for; nil if that is not known.
func (f *File) fedByClock(o *types.Var) (pace *types.Var, yes bool) {
	given := false // by a request
	f.each(func(name string, in *ast.FuncDecl, n ast.Node) {
		s, ok := n.(*ast.SendStmt)
		if !ok || f.variable(s.Chan) != o {
			return
		}
		file := &File{f.Package, f.files[name]}
		around := file.loops(f.line(s.Pos()))
		if len(around) == 0 || !isToken(s.Value) && !file.isTick(around, s.Value) {
			given = true
			return
		}
		if by, paced := file.paced(around[len(around)-1]); paced {
			pace, yes = by, true
		}
	})
	return pace, yes && !given
}

// isToken says whether a value says nothing but that it is there.
func isToken(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "true" || e.Name == "false"
	}
	return false
}

// isTick says whether a value is what a loop over a ticker takes from it.
func (f *File) isTick(loops []ast.Stmt, value ast.Expr) bool {
	r, ok := loops[len(loops)-1].(*ast.RangeStmt)
	return ok && r.Key != nil && text(r.Key) == text(value) && f.ticks(r.X) != nil
}

// paced says whether each turn of a loop waits for a clock, and for which.
func (f *File) paced(loop ast.Stmt) (by *types.Var, yes bool) {
	if r, ok := loop.(*ast.RangeStmt); ok {
		if c, ok := ast.Unparen(r.X).(*ast.CallExpr); ok && f.packageOf(c) == "time" && CalleeName(c) == "Tick" {
			return f.named(c.Args), true
		}
		by = f.ticks(r.X)
		return by, by != nil
	}
	ast.Inspect(bodyOf(loop), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if t := f.ticks(n.X); n.Op == token.ARROW && t != nil {
				by, yes = t, true
			}
		case *ast.CallExpr:
			if f.packageOf(n) == "time" && CalleeName(n) == "Sleep" {
				by, yes = f.named(n.Args), true
			}
		}
		return true
	})
	return by, yes
}

// named is the first variable in expressions; nil if there is none.
func (f *File) named(all []ast.Expr) (o *types.Var) {
	for _, e := range all {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && o == nil {
				o, _ = f.info.Uses[id].(*types.Var)
			}
			return o == nil
		})
	}
	return o
}

// interval is what a function adds to a time: the field or the variable that says how far apart turns are. nil if
// there is none.
func (f *File) interval(fn *ast.FuncDecl) (o *types.Var) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && o == nil && CalleeName(c) == "Add" && len(c.Args) == 1 && f.isTime(c) {
			if o = f.variable(c.Args[0]); o == nil {
				o = f.named(c.Args)
			}
		}
		return o == nil
	})
	return o
}

// Passes are the lines of a package that wait for a limiter: by themselves or, where one line does, by calling the
// function that it is in. twice says that one execution of a function comes by two of them.
func (f *File) Passes(l *Limiter, line int) (all []Place, twice bool) {
	fn := f.Function(line)
	if fn == nil {
		return nil, false
	}
	note := func(at Place, one *ast.FuncDecl) {
		if one != nil && !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	method := ""
	if l.Kind == "a limiter" {
		for _, c := range f.CallsAt(line) {
			if s, ok := c.Fun.(*ast.SelectorExpr); ok && f.variable(s.X) == l.Variable {
				method = s.Sel.Name
			}
		}
	}
	f.each(func(name string, one *ast.FuncDecl, n ast.Node) {
		waits := false
		switch n := n.(type) {
		case *ast.UnaryExpr:
			waits = n.Op == token.ARROW && l.Variable != nil &&
				(f.variable(n.X) == l.Variable || f.ticks(n.X) == l.Variable)
		case *ast.CallExpr:
			s, ok := n.Fun.(*ast.SelectorExpr)
			waits = ok && method != "" && l.Variable != nil && strings.HasPrefix(s.Sel.Name, method) &&
				f.variable(s.X) == l.Variable
		}
		if waits {
			note(f.settingBy(name, one, n.(ast.Expr)).made.Place, one)
		}
	})
	if len(all) < 2 { // one line waits: who calls its function?
		all = nil
		for _, c := range f.callsOf(fn) {
			note(c.made.Place, c.in)
		}
	}
	for i, a := range all {
		for j, b := range all {
			from, to := f.bodyAround(a), f.bodyAround(b)
			whole, declared := to.(*ast.FuncDecl)
			twice = twice || i != j && (from == to && f.inOneBlock(a, b) || from != to && declared && f.reaches(from, whole))
		}
	}
	return all, twice
}

// bodyAround is the innermost function literal around a place, or its function.
func (p *Package) bodyAround(at Place) (in ast.Node) {
	f := &File{p, p.files[at.File]}
	in = f.Function(int(at.Line))
	f.enclosing(int(at.Line), func(n ast.Node) {
		if lit, ok := n.(*ast.FuncLit); ok {
			in = lit
		}
	})
	return in
}

// inOneBlock says whether one execution of a function can come by two lines of it: they are not in branches of which
// one excludes the other.
func (f *File) inOneBlock(a, b Place) bool {
	blocks := func(at Place) (all []ast.Node) {
		(&File{f.Package, f.files[at.File]}).enclosing(int(at.Line), func(n ast.Node) {
			switch n.(type) {
			case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
				all = append(all, n)
			}
		})
		return all
	}
	of, other := blocks(a), blocks(b)
	return slices.Contains(of, other[len(other)-1]) || slices.Contains(other, of[len(of)-1]) // one is around the other
}

// reaches says whether a body calls a function of the package, at once or by way of others.
func (p *Package) reaches(from ast.Node, to *ast.FuncDecl) bool {
	seen := map[*ast.FuncDecl]bool{}
	pending := []ast.Node{from}
	for len(pending) > 0 {
		fn := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, callee := range p.calledBy(fn) {
			if callee == to {
				return true
			}
			if !seen[callee] {
				seen[callee] = true
				pending = append(pending, callee)
			}
		}
	}
	return false
}
