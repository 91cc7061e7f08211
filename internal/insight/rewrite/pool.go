package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// compressor is a function that makes a writer whose Reset(w) makes it equal to a new one, as the
// documentation of its package promises.
type compressor struct {
	kind string // ends the name of the pool
	// level is the number of the argument with the level, 0 for none; lowest and highest bound it: another one
	// is an error.
	level, lowest, highest int
	fails                  bool // it returns an error, too
}

// compressors by the name of the function, of the standard library and of packages of the same
// shape.
var compressors = map[string]compressor{
	"compress/gzip.NewWriter":                           {kind: "Gzip"},
	"compress/gzip.NewWriterLevel":                      {kind: "Gzip", level: 1, lowest: -2, highest: 9, fails: true},
	"compress/zlib.NewWriter":                           {kind: "Zlib"},
	"compress/zlib.NewWriterLevel":                      {kind: "Zlib", level: 1, lowest: -2, highest: 9, fails: true},
	"compress/flate.NewWriter":                          {kind: "Flate", level: 1, lowest: -2, highest: 9, fails: true},
	"github.com/klauspost/compress/gzip.NewWriter":      {kind: "Gzip"},
	"github.com/klauspost/compress/gzip.NewWriterLevel": {kind: "Gzip", level: 1, lowest: -2, highest: 9, fails: true},
	"github.com/klauspost/compress/zlib.NewWriter":      {kind: "Zlib"},
	"github.com/klauspost/compress/zlib.NewWriterLevel": {kind: "Zlib", level: 1, lowest: -2, highest: 9, fails: true},
	"github.com/klauspost/compress/flate.NewWriter":     {kind: "Flate", level: 1, lowest: -2, highest: 9, fails: true},
	"github.com/klauspost/pgzip.NewWriter":              {}, // has goroutines of its own: refused
	"github.com/andybalholm/brotli.NewWriter":           {kind: "Brotli"},
	"github.com/andybalholm/brotli.NewWriterLevel":      {kind: "Brotli", level: 1, lowest: 0, highest: 11},
}

// poolCompressor takes a compressor from a pool where it was made, and puts it back when the
// function returns.
func poolCompressor(c *code) error {
	var found []ast.Stmt
	ast.Inspect(c.fn.Body, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok && c.makesCompressor(s) != nil {
			found = append(found, s)
		}
		return true
	})
	s, err := c.pickCompressor(found)
	if err != nil {
		return err
	}
	call := c.makesCompressor(s)
	k := compressors[c.calls(call)]
	if k.kind == "" {
		return c.refuse(call.Pos(), "%s starts goroutines: it is not known to be as new after Reset", c.text(call.Fun))
	}
	level, err := c.levelOf(call, k)
	if err != nil {
		return err
	}
	v := c.localOf(s.Lhs[0])
	if err := c.ownCompressor(s, v); err != nil {
		return err
	}
	return c.pool(s, call, k, v, level)
}

// makesCompressor is the call of zw := gzip.NewWriter(w) or zw, err := ..., nil for other statements.
func (c *code) makesCompressor(s *ast.AssignStmt) *ast.CallExpr {
	if len(s.Rhs) != 1 {
		return nil
	}
	call, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok {
		return nil
	}
	if _, known := compressors[c.calls(call)]; !known {
		return nil
	}
	return call
}

// pickCompressor finds the statement by its own line, or by a line on which its variable is used:
// profiles show the cost of a compressor where it is written to and closed, too.
func (c *code) pickCompressor(found []ast.Stmt) (*ast.AssignStmt, error) {
	var using []ast.Stmt
	for _, s := range found {
		v := c.localOf(s.(*ast.AssignStmt).Lhs[0])
		if v == nil {
			continue
		}
		for _, id := range c.uses(c.fn, v) {
			if c.lineOf(id.Pos()) == c.line && !slices.Contains(using, s) {
				using = append(using, s)
			}
		}
	}
	if len(using) == 1 {
		return using[0].(*ast.AssignStmt), nil
	}
	s, err := pick(c, found, "variable that holds a new compressor (zw := gzip.NewWriter(w))")
	if err != nil {
		return nil, err
	}
	return s.(*ast.AssignStmt), nil
}

// levelOf is the text of the level's argument, which has to be a constant that is valid; empty
// where there is none.
func (c *code) levelOf(call *ast.CallExpr, k compressor) (string, error) {
	if k.level == 0 {
		return "", nil
	}
	arg := call.Args[k.level]
	v := c.info.Types[arg].Value
	if v == nil {
		return "", c.refuse(arg.Pos(), "the level %s is not a constant: a pool holds compressors of one level",
			c.text(arg))
	}
	level, exact := constant.Int64Val(v)
	if !exact || level < int64(k.lowest) || level > int64(k.highest) {
		return "", c.refuse(arg.Pos(), "the level %s is not valid: %d to %d are", v, k.lowest, k.highest)
	}
	return c.outside(arg)
}

// ownCompressor refuses a compressor that is not declared, used and closed in one call of its
// function.
func (c *code) ownCompressor(s *ast.AssignStmt, v *types.Var) error {
	if s.Tok != token.DEFINE || v == nil || c.info.Defs[s.Lhs[0].(*ast.Ident)] != v {
		return c.refuse(s.Pos(), "the compressor is kept in a variable that is declared elsewhere")
	}
	if len(c.loopsAround(s)) > 0 {
		return c.refuse(s.Pos(),
			"the compressor is made in a loop: defer would put it back only when the function returns")
	}
	path := way(c.fn, s)
	if !slices.Contains(statements(path[len(path)-2]), ast.Stmt(s)) {
		return c.refuse(s.Pos(), "the compressor is made in the head of a statement")
	}
	if again := c.assigned(c.fn, v); again != nil {
		return c.refuse(again.Pos(), "%s is assigned again, or its address is taken", v.Name())
	}
	closed := slices.ContainsFunc(collect(c.body(s), func(*ast.CallExpr) bool { return true }),
		func(call *ast.CallExpr) bool {
			on, name, _ := methodCall(call)
			return name != nil && name.Name == "Close" && c.localOf(on) == v
		})
	if !closed {
		return c.refuse(s.Pos(), "%s is not closed in this function", v.Name())
	}
	return (&stay{code: c, seen: map[*types.Var]bool{}, from: s.Pos()}).variable(v, c.body(s))
}

// pool writes the change.
func (c *code) pool(s *ast.AssignStmt, call *ast.CallExpr, k compressor, v *types.Var, level string) error {
	sync, err := c.packageName(call.Pos(), "sync")
	if err != nil {
		return err
	}
	fun := c.text(call.Fun)
	pkg, _, _ := strings.Cut(fun, ".")
	if err := c.sameNames(call.Fun); err != nil {
		return err
	}
	args := "nil"
	if level != "" {
		args += ", " + level
	}
	name := c.freshName(c.fn.Name.Name, k.kind, "pool")
	made := "return " + fun + "(" + args + ")"
	if k.fails {
		made = "w, _ := " + fun + "(" + args + ") // the level is valid\nreturn w"
	}
	c.insert(before(c.fn), "var %s = %s.Pool{New: func() any {\n%s\n}}\n\n", name, sync, made)
	get := name + ".Get().(*" + pkg + ".Writer)"
	if len(s.Lhs) == 2 && c.text(s.Lhs[1]) != "_" {
		get += ", error(nil)"
	} else if len(s.Lhs) == 2 {
		c.replace(s.Lhs[0].End(), s.Lhs[1].End(), "")
	}
	c.replace(call.Pos(), call.End(), "%s", get)
	c.insertBehind(s, "%s.Reset(%s)\ndefer %s.Put(%s)", v.Name(), c.text(call.Args[0]), name, v.Name())
	return nil
}
