package advice

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// largeValue is from how many bytes on a copy of a value costs more than the reading of some of its fields: two cache
// lines.
const largeValue = 128

// copiedValue names the large value that a line copies, with its size; empty if it copies none.
func (f *sourceFile) copiedValue(line int) (what string) {
	sized := func(e ast.Expr, t types.Type) {
		if t == nil || what != "" {
			return
		}
		switch t.Underlying().(type) {
		case *types.Struct, *types.Array:
		default:
			return
		}
		if n := types.SizesFor("gc", "amd64").Sizeof(t); n >= largeValue {
			what = fmt.Sprintf("%s (%d bytes)", text(e), n)
		}
	}
	f.inspect(line, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if id, ok := n.Value.(*ast.Ident); ok && f.line(n.Pos()) == line {
				if o := f.info.Defs[id]; o != nil {
					sized(n.Value, o.Type())
				}
			}
		case *ast.AssignStmt:
			if f.line(n.Pos()) != line {
				return true
			}
			for _, e := range n.Rhs {
				if _, fresh := e.(*ast.CompositeLit); !fresh {
					sized(e, f.info.TypeOf(e))
				}
			}
		case *ast.CallExpr:
			if f.line(n.Pos()) != line {
				return true
			}
			for _, e := range n.Args {
				if _, fresh := e.(*ast.CompositeLit); !fresh {
					sized(e, f.info.TypeOf(e))
				}
			}
			if s, ok := n.Fun.(*ast.SelectorExpr); ok { // a receiver by value
				if m, ok := f.info.Uses[s.Sel].(*types.Func); ok {
					if recv := m.Signature().Recv(); recv != nil {
						sized(s.X, recv.Type())
					}
				}
			}
		}
		return true
	})
	return what
}

// constantHashed names the constant that a line hashes: a literal, a constant, or a variable of the package that its
// file never sets; empty if it hashes something else.
func (f *sourceFile) constantHashed(line int) string {
	for _, c := range f.callsAt(line) {
		for _, arg := range c.Args {
			if e := unconverted(arg); f.constant(e) {
				if name := calleeName(c); strings.HasPrefix(name, "Sum") || strings.HasPrefix(name, "Write") ||
					strings.HasPrefix(name, "Checksum") || strings.HasPrefix(name, "Hash") ||
					strings.HasPrefix(name, "String") || strings.HasPrefix(name, "Bytes") {
					return text(e)
				}
			}
		}
	}
	return ""
}

// unconverted is x of []byte(x).
func unconverted(e ast.Expr) ast.Expr {
	if c, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(c.Args) == 1 {
		if _, conversion := c.Fun.(*ast.ArrayType); conversion {
			return ast.Unparen(c.Args[0])
		}
	}
	return ast.Unparen(e)
}

func (f *sourceFile) constant(e ast.Expr) bool {
	if l, ok := e.(*ast.BasicLit); ok {
		return l.Kind == token.STRING
	}
	if tv, ok := f.info.Types[e]; ok && tv.Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return f.isPackageLevel(e) && !f.assigned(e.Name)
	case *ast.SelectorExpr:
		return f.lasts(e.X) && f.constantField(e)
	}
	return false
}

// constantField says whether an expression is a field of a struct that the file declares, and that no function sets
// which is seen to run under load: what is set at the start only does not change.
func (f *sourceFile) constantField(e *ast.SelectorExpr) bool {
	field, ok := f.info.Uses[e.Sel].(*types.Var)
	owner := f.info.TypeOf(e.X)
	if !ok || !field.IsField() || owner == nil {
		return false
	}
	if p, ok := owner.Underlying().(*types.Pointer); ok {
		owner = p.Elem()
	}
	is := func(to ast.Expr) bool {
		s, ok := to.(*ast.SelectorExpr)
		return ok && f.info.Uses[s.Sel] == field
	}
	sets, made := false, false
	f.declarations(func(d ast.Decl) {
		fn, _ := d.(*ast.FuncDecl)
		ast.Inspect(d, func(n ast.Node) bool {
			set := false
			switch n := n.(type) {
			case *ast.AssignStmt:
				set = slices.ContainsFunc(n.Lhs, is)
			case *ast.UnaryExpr:
				set = n.Op == token.AND && is(n.X)
			case *ast.CompositeLit:
				if t := f.info.TypeOf(n); t != nil && types.Identical(t, owner) {
					set = true
				}
			}
			made = made || set
			sets = sets || set && fn != nil && f.runs[fn]
			return !sets
		})
	})
	return made && !sets
}

// assigned says whether any statement of the package sets a variable of that name.
func (f *sourceFile) assigned(name string) (yes bool) {
	f.declarations(func(d ast.Decl) {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					if rootOf(e) == name && n.Tok != token.DEFINE {
						yes = true
					}
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND && rootOf(n.X) == name {
					yes = true
				}
			case *ast.IncDecStmt:
				yes = yes || rootOf(n.X) == name
			}
			return !yes
		})
	})
	return yes
}

// rootOf is the name of rootIdent; empty if there is none.
func rootOf(e ast.Expr) string {
	if id, ok := rootIdent(e); ok {
		return id.Name
	}
	return ""
}

// rootIdent is the variable that an expression is a part of, through fields, elements and pointers: s of s.items[3].
func rootIdent(e ast.Expr) (*ast.Ident, bool) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return x, true
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		default:
			return nil, false
		}
	}
}

// logArgument says whether a line builds an argument of a call of a logger at a low level: Debug, Trace and their
// forms.
func (f *sourceFile) logArgument(line int) bool {
	all := f.callsAt(line)
	for i, c := range all {
		name := calleeName(c)
		if _, method := c.Fun.(*ast.SelectorExpr); !method ||
			!strings.HasPrefix(name, "Debug") && !strings.HasPrefix(name, "Trace") {
			continue
		}
		for _, inner := range all[i+1:] { // a call inside of it, in an argument
			for _, arg := range c.Args {
				if arg.Pos() <= inner.Pos() && inner.End() <= arg.End() && f.spans(inner, line) {
					return true
				}
			}
		}
	}
	return false
}

// readsUnderLock says whether the function only reads between the call of Lock in a line and its end or Unlock: it sets
// nothing but variables of its own, and calls only functions of packages and the language's own.
func (f *sourceFile) readsUnderLock(line int) bool {
	fn := f.function(line)
	if fn == nil || !f.calls(line, "Lock") {
		return false
	}
	end := fn.Body.End()
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			return false
		case *ast.CallExpr:
			if calleeName(n) == "Unlock" && f.line(n.Pos()) >= line && n.Pos() < end {
				end = n.Pos()
			}
		}
		return true
	})
	reads := true
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() >= end {
			return false
		}
		if f.line(n.Pos()) <= line {
			return true
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if id, ok := e.(*ast.Ident); !ok || f.isPackageLevel(id) {
					reads = false
				}
			}
		case *ast.IncDecStmt:
			if id, ok := n.X.(*ast.Ident); !ok || f.isPackageLevel(id) {
				reads = false
			}
		case *ast.SendStmt:
			reads = false
		case *ast.CallExpr:
			if s, method := n.Fun.(*ast.SelectorExpr); method && f.packageOf(n) == "" && s.Sel.Name != "Unlock" {
				reads = false
			}
			if name := calleeName(n); name == "delete" || name == "clear" || name == "copy" {
				reads = false
			}
		}
		return true
	})
	return reads
}

// columns takes formats with flags or a width: "%-20s", "%08d", "%+.2f".
var columns = regexp.MustCompile(`%[-+# 0]*[1-9*]|%[-+# 0]`)

// setsColumns says whether a line formats by such a format.
func (f *sourceFile) setsColumns(line int) bool {
	return slices.ContainsFunc(f.callsAt(line), func(c *ast.CallExpr) bool {
		return f.packageOf(c) == "fmt" && slices.ContainsFunc(c.Args, func(e ast.Expr) bool {
			l, ok := e.(*ast.BasicLit)
			return ok && l.Kind == token.STRING && columns.MatchString(strings.ReplaceAll(l.Value, "%%", ""))
		})
	})
}

// takesOnePart says whether a line calls a function of strings or bytes of whose slice the function uses one element,
// at once or by way of a variable.
func (f *sourceFile) takesOnePart(line int) (yes bool) {
	parts := ""
	f.inspect(line, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if c, ok := ast.Unparen(n.X).(*ast.CallExpr); ok && f.line(c.Pos()) == line && f.takesApart(c) {
				yes = true
			}
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && len(n.Rhs) == 1 && f.line(n.Pos()) == line {
				if c, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr); ok && f.takesApart(c) {
					parts = text(n.Lhs[0])
				}
			}
		}
		return true
	})
	return yes || parts != "" && parts != "_" && f.indexed(line, parts)
}

func (f *sourceFile) takesApart(c *ast.CallExpr) bool {
	p := f.packageOf(c)
	return (p == "strings" || p == "bytes") && (strings.HasPrefix(calleeName(c), "Split") ||
		strings.HasPrefix(calleeName(c), "Fields"))
}

// indexed says whether the function around a line uses a slice by one index only, and by its length.
func (f *sourceFile) indexed(line int, name string) bool {
	indices, other := map[string]bool{}, 0
	f.inspect(line, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if text(n.X) == name {
				indices[text(n.Index)] = true
				return false
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "len" {
				return false
			}
		case *ast.Ident:
			if n.Name == name && f.line(n.Pos()) > line {
				other++
			}
		}
		return true
	})
	return len(indices) == 1 && other == 0
}

// waitsForReply says whether a line takes from a channel that its function made: alone, or as a field of what it made.
func (f *sourceFile) waitsForReply(line int) (yes bool) {
	f.inspect(line, func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		if !ok || u.Op != token.ARROW || f.line(u.Pos()) != line {
			return true
		}
		if id, ok := rootIdent(u.X); ok {
			o := f.info.Uses[id]
			fn := f.function(line)
			// declared in the function itself
			yes = yes || o != nil && o.Pos() > fn.Body.Pos() && o.Pos() < fn.Body.End()
		}
		return true
	})
	return yes
}
