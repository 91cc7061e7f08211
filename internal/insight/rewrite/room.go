package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// makeRoom gives a slice, or a strings.Builder, room for what a range loop appends to it. A text that a loop adds to
// becomes a strings.Builder.
func makeRoom(c *code) error {
	var found []ast.Stmt
	ast.Inspect(c.fn.Body, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && (c.appended(s) != nil || c.built(s) != nil || c.added(s) != nil) {
			found = append(found, s)
		}
		return true
	})
	s, err := pick(c, c.withLoops(found), "append to a variable, write to a strings.Builder, or + of a text, in a loop")
	if err != nil {
		return err
	}
	if c.added(s) != nil {
		return c.buildText(s)
	}
	if call := c.built(s); call != nil {
		return c.growBuilder(s, call)
	}
	return c.growSlice(s)
}

// withLoops leaves out what is in no range loop.
func (c *code) withLoops(found []ast.Stmt) []ast.Stmt {
	return slices.DeleteFunc(found, func(s ast.Stmt) bool { return len(c.loopsAround(s)) == 0 })
}

// loopsAround are the loops of its function that a statement is in, the outermost first.
func (c *code) loopsAround(s ast.Node) []ast.Stmt {
	var loops []ast.Stmt
	for _, n := range way(c.body(s), s) {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if n != s {
				loops = append(loops, n)
			}
		case *ast.ForStmt:
			if n != s {
				loops = append(loops, n)
			}
		}
	}
	return loops
}

// appended is the variable of a statement v = append(v, x...); nil if it is none.
func (c *code) appended(s ast.Stmt) *types.Var {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if !ok || c.builtin(call) != "append" || len(call.Args) < 2 {
		return nil
	}
	v := c.localOf(a.Lhs[0])
	if v == nil || c.localOf(call.Args[0]) != v {
		return nil
	}
	return v
}

// growth is an append in a loop, as it was found.
type growth struct {
	v       *types.Var
	stmt    ast.Stmt
	loop    *ast.RangeStmt
	declare ast.Stmt // the declaration of v
	between []ast.Stmt
	always  bool // each round appends
}

// growSlice makes room for one element of each round.
func (c *code) growSlice(s ast.Stmt) error {
	g, err := c.growthOf(s, c.appended(s))
	if err != nil {
		return err
	}
	if call := ast.Unparen(s.(*ast.AssignStmt).Rhs[0]).(*ast.CallExpr); call.Ellipsis.IsValid() {
		return c.refuse(call.Ellipsis, "each round appends a slice, whose length is not known before")
	} else if len(call.Args) > 2 {
		return c.refuse(call.Pos(), "each round appends several values")
	}
	count, err := c.countOf(g)
	if err != nil {
		return err
	}
	if err := c.aloneInLoop(g); err != nil {
		return err
	}
	empty, isNil := c.emptyValue(g)
	if !isNil && empty == nil {
		return c.refuse(g.declare.Pos(), "%s does not begin empty and without room: var, []T{} or make([]T, 0)",
			g.v.Name())
	}
	if isNil && !g.always && !c.nilUnseen(g) {
		return c.growAtFirst(g, count)
	}
	if !isNil && c.sameBefore(g) {
		c.replace(empty.Pos(), empty.End(), "make(%s, 0, %s)", c.typeText(empty), count)
		return nil
	}
	if err := c.atLeast(g.loop.Pos(), "go1.21", "slices.Grow"); err != nil {
		return err
	}
	grow, err := c.packageName(g.loop.Pos(), "slices")
	if err != nil {
		return err
	}
	c.insert(g.loop.Pos(), "%s = %s.Grow(%s, %s)\n", g.v.Name(), grow, g.v.Name(), count)
	return nil
}

// growAtFirst makes the room when the first element comes, so that a slice to which nothing is
// appended stays nil.
func (c *code) growAtFirst(g *growth, count string) error {
	spec := g.declare.(*ast.DeclStmt).Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
	for _, name := range []string{"make", "nil"} {
		if c.visible(g.stmt.Pos(), name) != types.Universe.Lookup(name) {
			return c.refuse(g.stmt.Pos(), "%s means something else here", name)
		}
	}
	path := way(c.fn, g.stmt)
	if !slices.Contains(statements(path[len(path)-2]), g.stmt) {
		return c.refuse(g.stmt.Pos(), "the append is the head of a statement, or has a label")
	}
	if err := c.sameMeaning(g, spec.Type); err != nil {
		return err
	}
	c.insert(g.stmt.Pos(), "if %s == nil {\n%s = make(%s, 0, %s)\n}\n", g.v.Name(), g.v.Name(), c.text(spec.Type),
		count)
	return nil
}

// sameMeaning refuses names that are hidden by those of the loop where the room is made.
func (c *code) sameMeaning(g *growth, typ ast.Expr) error {
	for _, e := range []ast.Expr{typ, g.loop.X} {
		for _, id := range collect(e, func(*ast.Ident) bool { return true }) {
			if o := c.info.Uses[id]; o != nil && !isMember(o) && c.visible(g.stmt.Pos(), id.Name) != o {
				return c.refuse(g.stmt.Pos(), "%s means something else in the loop", id.Name)
			}
		}
	}
	if v := c.localOf(g.loop.X); v != nil {
		if at := c.assigned(g.loop.Body, v); at != nil {
			return c.refuse(at.Pos(), "%s is another one from here on", v.Name())
		}
	}
	return nil
}

// growthOf finds the loop around an append, and the declaration of its variable before the loop.
func (c *code) growthOf(s ast.Stmt, v *types.Var) (*growth, error) {
	loops := c.loopsAround(s)
	g := &growth{v: v, stmt: s}
	// The variable is declared inside the outer loops: only the rest goes round before it is new.
	for len(loops) > 0 && loops[0].Pos() < v.Pos() {
		loops = loops[1:]
	}
	if len(loops) == 0 {
		return nil, c.refuse(s.Pos(), "%s is another one in each round of the loop", v.Name())
	}
	if len(loops) != 1 {
		return nil, c.refuse(loops[0].Pos(), "%s grows in %d nested loops: how often is not known before", v.Name(),
			len(loops))
	}
	loop, ok := loops[0].(*ast.RangeStmt)
	if !ok {
		return nil, c.refuse(loops[0].Pos(),
			"the loop is not over a range: how often it goes round is not known before")
	}
	g.loop = loop
	path := way(c.fn, loop)
	list := statements(path[len(path)-2])
	end := slices.Index(list, ast.Stmt(loop))
	if end < 0 {
		return nil, c.refuse(loop.Pos(), "the loop has a label")
	}
	for i := end - 1; i >= 0; i-- {
		if c.declares(list[i], v) {
			g.declare, g.between = list[i], list[i+1:end]
			break
		}
	}
	if g.declare == nil {
		return nil, c.refuse(loop.Pos(),
			"%s is not declared in the block of the loop: what it holds before is not known", v.Name())
	}
	for _, one := range g.between {
		if c.mentions(one, v) && !c.onlyReturned(one, v) {
			return nil, c.refuse(one.Pos(), "%s is used between its declaration and the loop", v.Name())
		}
	}
	g.always = c.alwaysReached(loop.Body, s)
	return g, nil
}

// onlyReturned says that a statement uses a variable only to return it.
func (c *code) onlyReturned(s ast.Stmt, v *types.Var) bool {
	for _, id := range c.uses(s, v) {
		path := way(s, id)
		if len(path) < 2 {
			return false
		}
		if _, ok := path[len(path)-2].(*ast.ReturnStmt); !ok {
			return false
		}
	}
	return true
}

// statements are those of a block, or of a case of a switch.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

func (c *code) declares(s ast.Stmt, v *types.Var) bool {
	return len(collect(s, func(id *ast.Ident) bool { return c.info.Defs[id] == v })) > 0
}

// alwaysReached says that a statement stands in the body itself, and nothing before it leaves the
// round.
func (c *code) alwaysReached(body *ast.BlockStmt, s ast.Stmt) bool {
	i := slices.Index(body.List, s)
	if i < 0 {
		return false
	}
	for _, before := range body.List[:i] {
		if leaves(before) {
			return false
		}
	}
	return true
}

// leaves says whether a statement may end a round of the loop around it, or the function.
func leaves(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt, *ast.ReturnStmt:
			found = true
		}
		return true
	})
	return found
}

// countOf is the text of how often the loop goes round, at most.
func (c *code) countOf(g *growth) (string, error) {
	x := ast.Unparen(g.loop.X)
	if !c.steady(x) {
		return "", c.refuse(x.Pos(), "%s is evaluated for the loop: to count it before would evaluate it twice",
			c.text(x))
	}
	t := c.info.Types[x].Type.Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	switch t := t.(type) {
	case *types.Slice, *types.Array, *types.Map:
		if shadow := c.visible(g.loop.Pos(), "len"); shadow != types.Universe.Lookup("len") {
			return "", c.refuse(g.loop.Pos(), "len means something else here")
		}
		return "len(" + c.text(x) + ")", nil
	case *types.Basic:
		if t.Info()&types.IsInteger != 0 && c.info.Types[x].Value != nil && g.always && !leaves(g.loop.Body) {
			return c.text(x), nil
		}
	}
	return "", c.refuse(x.Pos(), "how often the loop goes round is not bound by a length")
}

// steady says that an expression is a variable, or a field of one: to evaluate it twice costs
// nothing and changes nothing.
func (c *code) steady(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		s := c.info.Selections[e]
		return (s == nil || s.Kind() == types.FieldVal) && c.steady(e.X)
	}
	return false
}

// sameBefore says that the length is the same at the declaration: what the loop ranges over is
// visible there, and nothing in between could change it or leave before the loop.
func (c *code) sameBefore(g *growth) bool {
	v := c.localOf(g.loop.X)
	if v == nil {
		return c.info.Types[g.loop.X].Value != nil
	}
	if v.Pos() > g.declare.Pos() || c.captured(v) {
		return false
	}
	for _, s := range g.between {
		if c.assigned(s, v) != nil || leaves(s) {
			return false
		}
		if _, isMap := v.Type().Underlying().(*types.Map); isMap && c.mentions(s, v) {
			return false
		}
	}
	return true
}

// captured says whether a function literal uses a variable of the function around it.
func (c *code) captured(v *types.Var) bool {
	for _, d := range c.sourceOf(v.Pos()).file.Decls {
		if v.Pos() < d.Pos() || v.Pos() > d.End() {
			continue
		}
		for _, id := range c.uses(d, v) {
			if c.insideLiteral(way(d, id), v) {
				return true
			}
		}
	}
	return false
}

// emptyValue is the expression that makes the slice empty; isNil says that it begins as nil.
func (c *code) emptyValue(g *growth) (empty ast.Expr, isNil bool) {
	switch d := g.declare.(type) {
	case *ast.DeclStmt:
		spec, ok := d.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
		if !ok || len(d.Decl.(*ast.GenDecl).Specs) != 1 || len(spec.Names) != 1 {
			return nil, false
		}
		if len(spec.Values) == 0 {
			_, isSlice := g.v.Type().Underlying().(*types.Slice)
			return nil, isSlice
		}
		empty = spec.Values[0]
	case *ast.AssignStmt:
		if len(d.Lhs) != 1 || len(d.Rhs) != 1 {
			return nil, false
		}
		empty = d.Rhs[0]
	default:
		return nil, false
	}
	switch e := ast.Unparen(empty).(type) {
	case *ast.CompositeLit:
		if len(e.Elts) == 0 && e.Type != nil {
			return e, false
		}
	case *ast.CallExpr:
		if c.builtin(e) == "make" && len(e.Args) == 2 && c.isZero(e.Args[1]) {
			return e, false
		}
	}
	return nil, false
}

func (c *code) isZero(e ast.Expr) bool {
	v := c.info.Types[e].Value
	return v != nil && v.ExactString() == "0"
}

// typeText is the type of []T{} or make([]T, 0), as it is written.
func (c *code) typeText(empty ast.Expr) string {
	switch e := ast.Unparen(empty).(type) {
	case *ast.CompositeLit:
		return c.text(e.Type)
	case *ast.CallExpr:
		return c.text(e.Args[0])
	}
	return ""
}
