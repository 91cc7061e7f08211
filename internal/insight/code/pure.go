package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// pureness looks at functions of a package: whether they change anything, and whether what they read changes.
type pureness struct {
	*File
	known map[*ast.FuncDecl]bool // those that were looked at
	works bool                   // a call of something that takes time was seen
}

// ComputesSame says whether a function gives the same each time, as far as the source says: it changes nothing, what it
// reads is not set under load, and it works for its result.
func (f *File) ComputesSame(fn *ast.FuncDecl) bool {
	p := &pureness{File: f, known: map[*ast.FuncDecl]bool{}}
	return p.givesValue(fn) && p.readsOnly(fn) && p.ofSteady(fn) && p.works
}

// valueTypes are the types of libraries that do not change after they were made.
var valueTypes = []string{"regexp.Regexp", "template.Template", "time.Location", "time.Time", "time.Duration",
	"time.Month", "time.Weekday", "netip.Prefix", "netip.Addr", "netip.AddrPort", "url.URL", "net.IPNet", "net.IP",
	"big.Int", "strings.Replacer"}

// givesValue says whether a function's results can be kept for others: a library's writers, buffers and hashes cannot.
func (p *pureness) givesValue(fn *ast.FuncDecl) bool {
	if fn.Type.Results == nil {
		return false
	}
	ok := true
	ast.Inspect(fn.Type.Results, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ok = ok && slices.Contains(valueTypes, text(n))
			return false
		case *ast.ChanType, *ast.FuncType, *ast.InterfaceType:
			ok = false
		}
		return ok
	})
	return ok
}

// readsOnly says whether a function changes nothing but variables of its own, and calls only functions that do so too.
func (p *pureness) readsOnly(fn *ast.FuncDecl) bool {
	if yes, known := p.known[fn]; known {
		return yes
	}
	p.known[fn] = true // where it calls itself
	own := func(e ast.Expr) bool {
		id, ok := rootIdent(e)
		if !ok {
			return false
		}
		o := p.info.Defs[id]
		if o == nil {
			o = p.info.Uses[id]
		}
		return id.Name == "_" || o != nil && o.Pos() >= fn.Body.Pos() && o.Pos() < fn.Body.End()
	}
	ok := true
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			ok = ok && !slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return !own(e) })
		case *ast.IncDecStmt:
			ok = ok && own(n.X)
		case *ast.SendStmt, *ast.GoStmt, *ast.SelectStmt, *ast.DeferStmt:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.CallExpr:
			ok = ok && p.callReads(n, own)
		}
		return ok
	})
	p.known[fn] = ok
	return ok
}

// callReads says whether a call changes nothing but what is the caller's own.
func (p *pureness) callReads(c *ast.CallExpr, own func(ast.Expr) bool) bool {
	if tv, ok := p.info.Types[c.Fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
		name := CalleeName(c)
		return name != "delete" && name != "clear" && name != "copy" && name != "close" && name != "print" &&
			name != "println" || len(c.Args) > 0 && own(c.Args[0])
	}
	p.works = true
	if pkg := p.packageOf(c); pkg != "" {
		return isPure(pkg, CalleeName(c))
	}
	var o types.Object
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		o = p.info.Uses[fun]
	case *ast.SelectorExpr:
		if o = p.info.Uses[fun.Sel]; o == nil { // a method of a library's value
			made, call := ast.Unparen(fun.X).(*ast.CallExpr)
			return call && p.packageOf(made) != "" || own(fun.X)
		}
	}
	fn := p.declarationOf(o)
	return fn != nil && p.readsOnly(fn)
}

// isPure says whether a function of a library changes nothing, and says the same of the same arguments.
func isPure(pkg, name string) bool {
	switch pkg {
	case "strings", "bytes", "strconv", "sort", "slices", "maps", "cmp", "errors", "regexp", "html", "math",
		"math/bits", "math/big", "net/netip", "net/url", "path", "unicode", "unicode/utf8", "text/template",
		"html/template":
		return true
	case "fmt":
		return strings.HasPrefix(name, "Sprint") || strings.HasPrefix(name, "Append") || name == "Errorf"
	case "time":
		return strings.HasPrefix(name, "Parse") || name == "Date" || name == "Unix" || name == "LoadLocation" ||
			name == "FixedZone"
	case "net":
		return strings.HasPrefix(name, "Parse")
	case "path/filepath":
		return name != "Abs" && name != "EvalSymlinks" && name != "Glob" && !strings.HasPrefix(name, "Walk")
	}
	return strings.HasPrefix(pkg, "encoding") || strings.HasPrefix(pkg, "hash/") && name != "MakeSeed" ||
		(strings.HasPrefix(pkg, "crypto/") || strings.HasPrefix(pkg, "golang.org/x/crypto/")) && pkg != "crypto/rand" &&
			!strings.HasPrefix(name, "Generate")
}

// declarationOf is the function of the package that an object is; nil if it is none.
func (p *pureness) declarationOf(o types.Object) (fn *ast.FuncDecl) {
	p.declarations(func(d ast.Decl) {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && o != nil && p.info.Defs[f.Name] == o {
			fn = f
		}
	})
	return fn
}

// ofSteady says whether all that a function reads of its receiver and of the package stays as it is under load.
// Parameters are the caller's to look at.
func (p *pureness) ofSteady(fn *ast.FuncDecl) bool {
	ok, fields := true, map[*ast.Ident]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			id, isName := n.X.(*ast.Ident)
			if !isName || !p.isReceiverOf(fn, id) {
				return ok
			}
			fields[id] = true
			if method, isMethod := p.info.Uses[n.Sel].(*types.Func); isMethod {
				other := p.declarationOf(method)
				ok = ok && other != nil && other != fn && p.ofSteady(other)
			} else {
				ok = ok && p.constantField(n) && !p.changesIn(n)
			}
		case *ast.Ident:
			if v, isVar := p.info.Uses[n].(*types.Var); isVar && !v.IsField() {
				ok = ok && (fields[n] || !p.isReceiverOf(fn, n)) && (!p.isPackageLevel(n) || !p.assigned(n.Name))
			}
		}
		return ok
	})
	return ok
}

func (p *pureness) isReceiverOf(fn *ast.FuncDecl, id *ast.Ident) bool {
	o, ok := p.info.Uses[id].(*types.Var)
	return ok && fn.Recv != nil && parameterOf(fn, o) == 0
}

// changesIn says whether a function that runs under load sets an element or a part of a field.
func (p *pureness) changesIn(e *ast.SelectorExpr) (yes bool) {
	field := p.info.Uses[e.Sel]
	has := func(e ast.Expr) (in bool) {
		ast.Inspect(e, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			in = in || ok && p.info.Uses[s.Sel] == field
			return !in
		})
		return in
	}
	for fn := range p.runs {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				yes = yes || slices.ContainsFunc(n.Lhs, has)
			case *ast.IncDecStmt:
				yes = yes || has(n.X)
			case *ast.CallExpr:
				if name := CalleeName(n); (name == "delete" || name == "clear" || name == "copy") && len(n.Args) > 0 {
					yes = yes || has(n.Args[0])
				}
			}
			return !yes
		})
	}
	return yes
}
