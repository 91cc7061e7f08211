package rewrite

import (
	"go/ast"
	"go/types"
)

// presizeMap makes a map with room for one entry of each round of the range loop that fills it. The number that make
// gets for a map is a hint: nothing but time and memory shows it.
func presizeMap(c *code) error {
	found := collect(c.fn.Body, func(s *ast.AssignStmt) bool { return c.filled(s) != nil && len(c.loopsAround(s)) > 0 })
	s, err := c.pickFilled(found)
	if err != nil {
		return err
	}
	g, err := c.growthOf(s, c.filled(s))
	if err != nil {
		return err
	}
	count, err := c.countOf(g)
	if err != nil {
		return err
	}
	typ, value := c.emptyMap(g)
	if typ == nil {
		return c.refuse(g.declare.Pos(), "%s does not begin empty and without room: map[K]V{} or make(map[K]V)", g.v.Name())
	}
	if c.mentions(g.loop.X, g.v) {
		return c.refuse(g.loop.X.Pos(), "the loop is over the map that it fills")
	}
	if len(g.between) > 0 && !c.sameBefore(g) {
		return c.refuse(g.loop.X.Pos(), "%s may be another one where %s is made", c.text(g.loop.X), g.v.Name())
	}
	for _, name := range []string{"make", "len"} {
		if c.visible(value.Pos(), name) != types.Universe.Lookup(name) {
			return c.refuse(value.Pos(), "%s means something else here", name)
		}
	}
	c.replace(value.Pos(), value.End(), "make(%s, %s)", c.text(typ), count)
	c.note("%s takes memory for as many entries as the loop has rounds, also where keys repeat", g.v.Name())
	return nil
}

// pickFilled is the assignment that is meant: a profile names the line of the assignment, or that where the map is made.
func (c *code) pickFilled(found []*ast.AssignStmt) (*ast.AssignStmt, error) {
	var made []*ast.AssignStmt
	for _, s := range found {
		if c.lineOf(c.filled(s).Pos()) == c.line {
			made = append(made, s)
		}
	}
	if len(made) > 0 {
		return made[0], nil
	}
	return pick(c, found, "assignment to an entry of a local map in a loop")
}

// filled is the local map that a statement m[k] = v, m[k] += v or the like puts an entry into; nil if it is none.
func (c *code) filled(s *ast.AssignStmt) *types.Var {
	if len(s.Lhs) != 1 {
		return nil
	}
	at, ok := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr)
	if !ok {
		return nil
	}
	v := c.localOf(at.X)
	if v == nil {
		return nil
	}
	if _, isMap := v.Type().Underlying().(*types.Map); !isMap {
		return nil
	}
	return v
}

// emptyMap is the type and the whole of the expression that makes the map empty; nil if it is another one.
func (c *code) emptyMap(g *growth) (typ, value ast.Expr) {
	switch d := g.declare.(type) {
	case *ast.DeclStmt:
		specs := d.Decl.(*ast.GenDecl).Specs
		spec, ok := specs[0].(*ast.ValueSpec)
		if !ok || len(specs) != 1 || len(spec.Names) != 1 || len(spec.Values) != 1 {
			return nil, nil
		}
		value = spec.Values[0]
	case *ast.AssignStmt:
		if len(d.Lhs) != 1 || len(d.Rhs) != 1 {
			return nil, nil
		}
		value = d.Rhs[0]
	default:
		return nil, nil
	}
	switch e := ast.Unparen(value).(type) {
	case *ast.CompositeLit:
		if len(e.Elts) == 0 && e.Type != nil {
			return e.Type, value
		}
	case *ast.CallExpr:
		if c.builtin(e) == "make" && (len(e.Args) == 1 || len(e.Args) == 2 && c.isZero(e.Args[1])) {
			return e.Args[0], value
		}
	}
	return nil, nil
}
