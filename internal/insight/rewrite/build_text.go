package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// added is the local text of a statement v += x or v = v + x; nil if it is none.
func (c *code) added(s ast.Stmt) *types.Var {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil
	}
	v := c.localOf(a.Lhs[0])
	if v == nil || !types.Identical(v.Type(), types.Typ[types.String]) || c.addend(a, v) == nil {
		return nil
	}
	return v
}

// addend is what a statement adds to a text, from its first to its last expression; nil if it is no such statement.
func (c *code) addend(a *ast.AssignStmt, v *types.Var) []ast.Expr {
	if a.Tok == token.ADD_ASSIGN {
		return []ast.Expr{a.Rhs[0]}
	}
	var parts []ast.Expr
	e := a.Rhs[0]
	for {
		sum, ok := e.(*ast.BinaryExpr)
		if !ok || sum.Op != token.ADD {
			break
		}
		parts, e = append(parts, sum.Y), sum.X
	}
	if a.Tok != token.ASSIGN || len(parts) == 0 || c.localOf(e) != v {
		return nil
	}
	slices.Reverse(parts)
	return parts
}

// buildText collects in a strings.Builder what a loop adds to a text, which has it after the loop. In the loop nothing
// reads the text but its length, and the loop is left by its end or by the end of the function alone: so nobody sees
// the text without what is in the builder.
func (c *code) buildText(s ast.Stmt) error {
	v := c.added(s)
	loop, list, err := c.loopOfText(s, v)
	if err != nil {
		return err
	}
	name := c.freshName(v.Name(), "builder")
	var replace []func()
	for _, id := range c.uses(loop, v) {
		edit, err := c.useOfText(loop, id, v, name)
		if err != nil {
			return err
		}
		if edit != nil {
			replace = append(replace, edit)
		}
	}
	stringsName, err := c.packageName(loop.Pos(), "strings")
	if err != nil {
		return err
	}
	for _, edit := range replace {
		edit()
	}
	begin := ""
	if !c.emptyBefore(list, loop, v) {
		begin = name + ".WriteString(" + v.Name() + ")\n"
	}
	c.insert(loop.Pos(), "var %s %s.Builder\n%s", name, stringsName, begin)
	c.insertBehind(loop, "%s = %s.String()", v.Name(), name)
	return nil
}

// loopOfText is the outermost loop that a text is not of, with the block around it.
func (c *code) loopOfText(s ast.Stmt, v *types.Var) (ast.Stmt, []ast.Stmt, error) {
	loops := c.loopsAround(s)
	for len(loops) > 0 && loops[0].Pos() < v.Pos() {
		loops = loops[1:]
	}
	if len(loops) == 0 {
		return nil, nil, c.refuse(s.Pos(), "%s is another one in each round of the loop", v.Name())
	}
	loop := loops[0]
	path := way(c.fn, loop)
	list := statements(path[len(path)-2])
	if !slices.Contains(list, loop) {
		return nil, nil, c.refuse(loop.Pos(), "the loop has a label")
	}
	if c.captured(v) {
		return nil, nil, c.refuse(v.Pos(), "%s is used by a function literal, which may see it while it grows", v.Name())
	}
	if c.isResult(v) {
		return nil, nil, c.refuse(v.Pos(), "%s is a result, which a return in the loop gives back", v.Name())
	}
	for _, id := range c.uses(c.fn, v) {
		p := way(c.fn, id)
		if u, ok := p[len(p)-2].(*ast.UnaryExpr); ok && u.Op == token.AND {
			return nil, nil, c.refuse(u.Pos(), "the address of %s is taken", v.Name())
		}
	}
	for _, b := range collect(loop, func(b *ast.BranchStmt) bool { return b.Label != nil }) {
		return nil, nil, c.refuse(b.Pos(), "the loop is left by a label")
	}
	return loop, list, nil
}

// isResult says that a variable is a named result of a function.
func (c *code) isResult(v *types.Var) bool {
	return len(collect(c.fn, func(t *ast.FuncType) bool {
		return t.Results != nil && t.Results.Pos() <= v.Pos() && v.Pos() < t.Results.End()
	})) > 0
}

// useOfText is the edit for a use of a text in the loop: a statement that adds to it writes to the builder, and its
// length is the builder's. Any other use is refused. It is nil where the edit of another use has it, too.
func (c *code) useOfText(loop ast.Stmt, id *ast.Ident, v *types.Var, name string) (func(), error) {
	path := way(loop, id)
	for i := len(path) - 2; i >= 0; i-- {
		switch p := path[i].(type) {
		case *ast.AssignStmt:
			if c.added(p) != v {
				return nil, c.refuse(id.Pos(), "%s is read or set here while it grows", v.Name())
			}
			return c.editOfSum(path, p, id, v, name)
		case *ast.CallExpr:
			if c.builtin(p) == "len" && ast.Unparen(p.Args[0]) == id {
				return func() { c.replace(p.Pos(), p.End(), "%s.Len()", name) }, nil
			}
			return nil, c.refuse(id.Pos(), "%s is read here while it grows", v.Name())
		case *ast.BinaryExpr:
			text, constant := c.textOf(p.Y)
			if constant && text == "" && ast.Unparen(p.X) == id && (p.Op == token.EQL || p.Op == token.NEQ) {
				return func() { c.replace(p.Pos(), p.End(), "%s.Len() %s 0", name, p.Op) }, nil
			}
		case *ast.ParenExpr:
		default:
			return nil, c.refuse(id.Pos(), "%s is read here while it grows", v.Name())
		}
	}
	return nil, c.refuse(id.Pos(), "%s is read here while it grows", v.Name())
}

// editOfSum makes calls of the builder of a statement that adds to a text. What is added must not read the text, but
// for its length, which the builder knows only as it was before the statement.
func (c *code) editOfSum(path []ast.Node, a *ast.AssignStmt, id *ast.Ident, v *types.Var, name string) (func(), error) {
	parts := c.addend(a, v)
	for _, e := range parts {
		if c.mentions(e, v) {
			return nil, c.refuse(e.Pos(), "%s is read here while it grows", v.Name())
		}
	}
	if ast.Unparen(a.Lhs[0]) != id {
		return nil, nil // the operand on the right
	}
	parent := path[len(path)-3]
	if !slices.Contains(statements(parent), ast.Stmt(a)) {
		return nil, c.refuse(a.Pos(), "the sum is the head of a statement, or has a label")
	}
	return func() {
		c.replace(a.Pos(), parts[0].Pos(), "%s.WriteString(", name)
		c.insert(parts[len(parts)-1].End(), ")")
	}, nil
}

// emptyBefore says that a text is declared empty in the block of the loop, and not used until the loop.
func (c *code) emptyBefore(list []ast.Stmt, loop ast.Stmt, v *types.Var) bool {
	for i := slices.Index(list, loop) - 1; i >= 0; i-- {
		switch d := list[i].(type) {
		case *ast.DeclStmt:
			if specs := d.Decl.(*ast.GenDecl).Specs; c.declares(d, v) {
				spec, ok := specs[0].(*ast.ValueSpec)
				return ok && len(specs) == 1 && len(spec.Values) == 0
			}
		case *ast.AssignStmt:
			if c.declares(d, v) {
				text, constant := c.textOf(d.Rhs[0])
				return len(d.Lhs) == 1 && constant && text == ""
			}
		}
		if c.mentions(list[i], v) {
			return false
		}
	}
	return false
}
