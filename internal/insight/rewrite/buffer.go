package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// writes are the functions that write to their first argument; a method Write is known by its
// receiver.
var writes = map[string]bool{"fmt.Fprint": true, "fmt.Fprintf": true, "fmt.Fprintln": true, "io.WriteString": true}

// buffering is a loop of small writes, as it was found.
type buffering struct {
	w     *types.Var
	loop  ast.Stmt
	body  *ast.BlockStmt
	calls []*ast.CallExpr
	// handler is what the loop does with the error of a write, nil if it ignores it; errName is
	// what it calls the error.
	handler *ast.BlockStmt
	errName string
	// errOutside says that this variable is declared outside of the loop.
	errOutside bool
}

// bufferWrites collects the writes of a loop in a bufio.Writer, and flushes it after the loop.
func bufferWrites(c *code) error {
	found := collect(c.fn.Body, func(call *ast.CallExpr) bool {
		return c.writtenTo(call) != nil && len(c.loopsAround(call)) > 0
	})
	call, err := pick(c, found, "write to a variable in a loop")
	if err != nil {
		return err
	}
	b := &buffering{w: c.writtenTo(call)}
	for _, loop := range c.loopsAround(call) {
		if loop.Pos() > b.w.Pos() { // the outermost that the writer is not of
			b.loop = loop
			break
		}
	}
	if b.loop == nil {
		return c.refuse(call.Pos(), "%s is another one in each round", b.w.Name())
	}
	if err := c.bufferable(b, call); err != nil {
		return err
	}
	if err := c.onlyWrites(b); err != nil {
		return err
	}
	if err := c.errorsOf(b); err != nil {
		return err
	}
	return c.buffer(b)
}

// writtenTo is the local variable that a call writes to, nil for other calls.
func (c *code) writtenTo(call *ast.CallExpr) *types.Var {
	if writes[c.calls(call)] && len(call.Args) > 0 {
		return c.localOf(call.Args[0])
	}
	on, name, _ := methodCall(call)
	if name == nil || name.Name != "Write" && name.Name != "WriteString" || len(call.Args) != 1 {
		return nil
	}
	return c.localOf(on)
}

// inMemory are writers that need no buffer.
var inMemory = []string{"*bufio.Writer", "*bufio.ReadWriter", "*bytes.Buffer", "bytes.Buffer", "*strings.Builder",
	"strings.Builder", "*encoding/csv.Writer"}

// perMessage are writers whose every write is a message.
var perMessage = []string{"*net.UDPConn", "*net.IPConn", "*net.UnixConn", "*log/syslog.Writer"}

// bufferable refuses writers that a buffer does not help, or changes.
func (c *code) bufferable(b *buffering, call *ast.CallExpr) error {
	name := b.w.Type().String()
	if slices.Contains(inMemory, name) {
		return c.refuse(call.Pos(), "%s is a %s, whose writes are buffered already", b.w.Name(), name)
	}
	writer := types.NewInterfaceType([]*types.Func{types.NewFunc(token.NoPos, nil, "Write",
		types.NewSignatureType(nil, nil, nil,
			types.NewTuple(types.NewVar(token.NoPos, nil, "p", types.NewSlice(types.Typ[types.Byte]))),
			types.NewTuple(types.NewVar(token.NoPos, nil, "n", types.Typ[types.Int]),
				types.NewVar(token.NoPos, nil, "err", types.Universe.Lookup("error").Type())), false))}, nil)
	if !types.Implements(b.w.Type(), writer.Complete()) {
		return c.refuse(call.Pos(), "%s is not an io.Writer", b.w.Name())
	}
	if name == "net/http.ResponseWriter" && !c.setsContentType(b) {
		return c.refuse(call.Pos(),
			"net/http finds the type of the content in the first write, which would be a larger one: set Content-Type before "+
				"the loop")
	}
	if slices.Contains(perMessage, name) {
		return c.refuse(call.Pos(), "each write to %s is a message of its own", b.w.Name())
	}
	if c.captured(b.w) {
		return c.refuse(b.w.Pos(), "%s is used by a function literal, which may write at the same time", b.w.Name())
	}
	if at := c.assigned(b.body0(), b.w); at != nil {
		return c.refuse(at.Pos(), "%s is another one from here on", b.w.Name())
	}
	return nil
}

// body0 is the body of the loop.
func (b *buffering) body0() *ast.BlockStmt {
	if b.body == nil {
		switch loop := b.loop.(type) {
		case *ast.RangeStmt:
			b.body = loop.Body
		case *ast.ForStmt:
			b.body = loop.Body
		}
	}
	return b.body
}

// setsContentType says whether a statement before the loop sets the header Content-Type of the
// writer, in a block around the loop.
func (c *code) setsContentType(b *buffering) bool {
	for _, n := range way(c.fn, b.loop) {
		for _, s := range statements(n) {
			if s.Pos() >= b.loop.Pos() {
				break
			}
			e, ok := s.(*ast.ExprStmt)
			if !ok {
				continue
			}
			on, name, call := methodCall(e.X)
			if call == nil || name.Name != "Set" || len(call.Args) != 2 {
				continue
			}
			header, _, inner := methodCall(on)
			key, _ := c.textOf(call.Args[0])
			if inner != nil && c.localOf(header) == b.w && key == "Content-Type" {
				return true
			}
		}
	}
	return false
}

// buffer writes the change.
func (c *code) buffer(b *buffering) error {
	bufio, err := c.packageName(b.loop.Pos(), "bufio")
	if err != nil {
		return err
	}
	c.note("the other side gets what the loop writes in larger pieces, the last one after the loop; a panic in the loop " +
		"loses what is in the buffer")
	if _, unknown := b.w.Type().Underlying().(*types.Interface); unknown {
		c.note("%s is a %s: where each write is a message of its own, as with UDP, it must not be buffered", b.w.Name(),
			b.w.Type())
	}
	name := c.freshName("buffered")
	for _, call := range b.calls {
		var at ast.Expr
		if writes[c.calls(call)] {
			at = call.Args[0]
		} else {
			at, _, _ = methodCall(call)
		}
		c.replace(at.Pos(), at.End(), "%s", name)
	}
	c.insert(b.loop.Pos(), "%s := %s.NewWriter(%s)\n", name, bufio, b.w.Name())
	if b.handler == nil {
		c.insertBehind(b.loop, "%s.Flush()", name)
		return nil
	}
	define := ":="
	if b.errOutside {
		define = "="
	}
	c.insertBehind(b.loop, "if %s %s %s.Flush(); %s != nil %s", b.errName, define, name, b.errName, c.text(b.handler))
	return nil
}
