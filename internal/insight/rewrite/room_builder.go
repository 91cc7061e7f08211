package rewrite

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// built is the call of a statement that writes to a local strings.Builder or bytes.Buffer; nil if it
// is none.
func (c *code) built(s ast.Stmt) *ast.CallExpr {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return nil
	}
	switch c.calls(call) {
	case "strings.Builder.WriteString", "strings.Builder.WriteByte", "strings.Builder.WriteRune",
		"bytes.Buffer.WriteString", "bytes.Buffer.WriteByte", "bytes.Buffer.WriteRune":
		if on, _, _ := methodCall(call); c.localOf(on) != nil {
			return call
		}
	}
	return nil
}

// growBuilder makes room in a strings.Builder for all that a loop writes, where the lengths are
// known: those of constants, and those of the texts that the loop goes through.
func (c *code) growBuilder(s ast.Stmt, call *ast.CallExpr) error {
	on, _, _ := methodCall(call)
	g, err := c.growthOf(s, c.localOf(on))
	if err != nil {
		return err
	}
	if name := g.v.Type().String(); name != "strings.Builder" && name != "bytes.Buffer" {
		return c.refuse(on.Pos(), "%s is not declared as a value here", g.v.Name())
	}
	if d, ok := g.declare.(*ast.DeclStmt); !ok || len(d.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values) > 0 {
		return c.refuse(g.declare.Pos(), "%s does not begin empty: var %s", g.v.Name(), g.v.Type())
	}
	for _, id := range c.uses(c.fn, g.v) {
		path := way(c.fn, id)
		if sel, ok := path[len(path)-2].(*ast.SelectorExpr); ok &&
			slices.Contains([]string{"Cap", "Grow", "AvailableBuffer", "Available", "Reset"}, sel.Sel.Name) {
			return c.refuse(sel.Sel.Pos(), "%s.%s shows or changes the room of %s", g.v.Name(), sel.Sel.Name,
				g.v.Name())
		}
	}
	count, err := c.countOf(g)
	if err != nil {
		return err
	}
	fixed, each, err := c.written(g)
	if err != nil {
		return err
	}
	var terms []string
	if fixed > 0 {
		terms = append(terms, strings.TrimPrefix(fmt.Sprintf("%d*%s", fixed, count), "1*"))
	}
	if len(each) == 0 {
		c.insert(g.loop.Pos(), "%s.Grow(%s)\n", g.v.Name(), terms[0])
		return nil
	}
	size := c.freshName(g.v.Name(), "size")
	start := "0"
	if len(terms) > 0 {
		start = terms[0]
	}
	value := c.text(g.loop.Value)
	c.insert(g.loop.Pos(), "%s := %s\nfor _, %s := range %s {\n%s += %s\n}\n%s.Grow(%s)\n", size, start, value,
		c.text(g.loop.X), size, strings.Join(each, " + "), g.v.Name(), size)
	return nil
}

// written adds up what each round writes: bytes of constants, and the lengths of the loop's texts.
func (c *code) written(g *growth) (fixed int, each []string, err error) {
	var element *types.Var
	if id, ok := g.loop.Value.(*ast.Ident); ok && g.loop.Tok == token.DEFINE {
		element, _ = c.info.Defs[id].(*types.Var)
	}
	for _, s := range g.loop.Body.List {
		call := c.built(s)
		if call == nil || c.localOf(methodOn(call)) != g.v {
			// Also under a condition: what is written then is only room that is not used.
			if c.mentions(s, g.v) {
				if _, isIf := s.(*ast.IfStmt); !isIf {
					return 0, nil, c.refuse(s.Pos(), "how much is written here is not known before")
				}
			}
			continue
		}
		arg := call.Args[0]
		switch v := c.info.Types[arg].Value; {
		case v != nil && v.Kind() == constant.String:
			fixed += len(constant.StringVal(v))
		case v != nil:
			fixed++ // WriteByte, and WriteRune of a constant: at least
		case element != nil && c.localOf(arg) == element && isText(element.Type()) &&
			c.assigned(g.loop.Body, element) == nil:
			each = append(each, "len("+element.Name()+")")
		default:
			return 0, nil, c.refuse(arg.Pos(), "the length of %s is not known before the loop", c.text(arg))
		}
	}
	if fixed == 0 && len(each) == 0 {
		return 0, nil, c.refuse(g.loop.Pos(), "how much the loop writes is not known before")
	}
	return fixed, each, nil
}

func methodOn(call *ast.CallExpr) ast.Expr { on, _, _ := methodCall(call); return on }

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
