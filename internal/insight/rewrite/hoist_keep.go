package rewrite

import (
	"go/ast"
	"go/types"
)

// keepByArgument makes the value of an argument that varies at its first call, and keeps it: patterns of a table, time
// zones of users. An error is not kept.
func (c *code) keepByArgument(call *ast.CallExpr, k constructor) error {
	if t, ok := c.info.Types[call.Args[0]].Type.(*types.Basic); !ok || t.Kind() != types.String {
		return c.refuse(call.Args[0].Pos(), "%s is not a constant, and not of type string", c.text(call.Args[0]))
	}
	of, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return c.refuse(call.Pos(), "%s is called without the name of its package", c.text(call.Fun))
	}
	if err := c.sharable(call, k.methods); err != nil {
		return err
	}
	sync, err := c.packageName(call.Pos(), "sync")
	if err != nil {
		return err
	}
	kept, keeps := c.freshName(c.fn.Name.Name, k.kind+"s"), c.freshName("kept", c.fn.Name.Name, k.kind)
	constructor, pointer := c.text(of), "*"+c.text(of.X)+"."+k.result
	c.insert(before(c.fn), "var %s %s.Map // of %s, by the text of each\n\n", kept, sync, pointer)
	c.insert(before(c.fn), "// %s calls %s once for each text.\n", keeps, constructor)
	if tuple, ok := c.info.Types[call].Type.(*types.Tuple); ok && tuple.Len() == 2 {
		c.insert(before(c.fn),
			"func %s(text string) (%s, error) {\n\tif kept, ok := %s.Load(text); ok {\n\t\treturn kept.(%s), nil\n\t}\n"+
				"\tmade, err := %s(text)\n\tif err == nil {\n\t\t%s.Store(text, made)\n\t}\n\treturn made, err\n}\n\n",
			keeps, pointer, kept, pointer, constructor, kept)
	} else {
		c.insert(before(c.fn),
			"func %s(text string) %s {\n\tif kept, ok := %s.Load(text); ok {\n\t\treturn kept.(%s)\n\t}\n\tmade := %s(text)\n"+
				"\t%s.Store(text, made)\n\treturn made\n}\n\n",
			keeps, pointer, kept, pointer, constructor, kept)
	}
	c.replace(call.Fun.Pos(), call.Fun.End(), "%s", keeps)
	c.note("what %s is made of is kept for good: bound it if a client can send any text", c.text(call))
	return nil
}
