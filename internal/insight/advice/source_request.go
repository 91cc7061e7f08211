package advice

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"

	"github.com/gohone/hone/prof"
)

// requestTypes are the types of a request and of what frameworks hand to a handler, as parameters write them.
var requestTypes = map[string]bool{
	"*http.Request": true, "*gin.Context": true, "echo.Context": true, "*echo.Context": true, "*fiber.Ctx": true, "fiber.Ctx": true, "*fasthttp.RequestCtx": true,
}

// fromRequest says whether what the user's line of frame number own hands to a library first comes with each request, as far as the source
// says: by way of variables, and of parameters of the user's functions.
func (v *View) fromRequest(s *stack, own int) bool {
	if own >= len(s.frames) {
		return false
	}
	file := v.source(s.frames[own].file)
	var made []ast.Expr
	for _, c := range file.callsAt(int(s.frames[own].line)) {
		made = append(made, c.Args[:min(1, len(c.Args))]...)
	}
	for i := own; len(made) > 0 && i < own+framesOfLoop; i++ {
		f := &s.frames[i]
		file = v.source(f.file)
		for _, e := range made {
			if file.asksRequest(int(f.line), e, framesOfLoop) {
				return true
			}
		}
		if i+1 >= len(s.frames) || s.frames[i+1].origin != prof.Own {
			return false
		}
		made = v.handedIn(f, &s.frames[i+1], made)
	}
	return false
}

// notOfRequest is match without calls for what comes with each request, which cannot be made before.
func (v *View) notOfRequest(match func(*stack) int) func(*stack) int {
	return func(s *stack) int {
		if at := match(s); at >= 0 && !v.fromRequest(s, s.own(at)) {
			return at
		}
		return -1
	}
}

// asksRequest says whether an expression is made of a parameter that is a request, at once or by way of so many variables.
func (f *sourceFile) asksRequest(line int, e ast.Expr, variables int) (yes bool) {
	fn := f.function(line)
	if fn == nil {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || yes {
			return !yes
		}
		o, ok := f.info.Uses[id].(*types.Var)
		if !ok || o.IsField() {
			return true
		}
		if yes = f.isRequest(fn, o); !yes && variables > 0 {
			for _, from := range append(f.definitions(fn, o), f.filledBy(fn, o)...) {
				yes = yes || f.asksRequest(line, from, variables-1)
			}
		}
		return !yes
	})
	return yes
}

// isRequest says whether a variable is a parameter of a type of requests, of a function or of a literal in it.
func (f *sourceFile) isRequest(fn *ast.FuncDecl, o *types.Var) (yes bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok || field.Type == nil || !requestTypes[text(field.Type)] {
			return !yes
		}
		for _, name := range field.Names {
			yes = yes || name.Pos() == o.Pos()
		}
		return !yes
	})
	return yes
}

// definitions are the expressions that a function defines a variable by.
func (f *sourceFile) definitions(fn *ast.FuncDecl, o *types.Var) (from []ast.Expr) {
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if id, ok := to.(*ast.Ident); ok && f.info.Defs[id] == o {
					from = append(from, n.Rhs[min(i, len(n.Rhs)-1)])
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if f.info.Defs[id] == o && len(n.Values) > 0 {
					from = append(from, n.Values[min(i, len(n.Values)-1)])
				}
			}
		}
		return true
	})
	return from
}

// filledBy are what a function fills a variable from, whose address it hands to a call: r.Body of json.NewDecoder(r.Body).Decode(&x).
func (f *sourceFile) filledBy(fn *ast.FuncDecl, o *types.Var) (from []ast.Expr) {
	ast.Inspect(fn, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		for i, arg := range c.Args {
			u, ok := ast.Unparen(arg).(*ast.UnaryExpr)
			if !ok || u.Op != token.AND {
				continue
			}
			if id, ok := ast.Unparen(u.X).(*ast.Ident); ok && f.info.Uses[id] == o {
				from = append(append(from, c.Fun), c.Args[:i]...)
			}
		}
		return true
	})
	return from
}

// startedAt is the user's line that starts a function of the user's as a goroutine, where there is one such line only.
func (v *View) startedAt(function string) (at Place, ok bool) {
	name, _, _ := strings.Cut(function[strings.LastIndexByte(function, '.')+1:], "-")
	var all []Place
	seen := map[string]bool{}
	for _, s := range v.everyStack() {
		for i := range s.frames {
			f := &s.frames[i]
			if f.origin != prof.Own || f.pkg != prof.PackagePath(function) || seen[f.file] {
				continue
			}
			for file := range v.packageIn(path.Dir(f.file)).files {
				if seen[file] {
					continue
				}
				seen[file] = true
				all = append(all, v.source(file).starts(file, f.pkg, name)...)
			}
		}
	}
	if len(all) != 1 {
		return Place{}, false
	}
	return all[0], true
}

// starts are the places of a file that start a function or method of that name as a goroutine.
func (f *sourceFile) starts(file, pkg, name string) (all []Place) {
	if f.file == nil {
		return nil
	}
	for _, d := range f.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok && calleeName(g.Call) == name {
				all = append(all, Place{Function: functionName(pkg, fn), File: file, Line: int64(f.line(g.Pos()))})
			}
			return true
		})
	}
	return all
}

// functionName is the name that profiles have for a function of a package: m.f, m.T.f and m.(*T).f.
func functionName(pkg string, fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return pkg + "." + fn.Name.Name
	}
	recv := text(fn.Recv.List[0].Type)
	if i := strings.IndexByte(recv, '['); i >= 0 {
		recv = recv[:i] + "[...]"
	}
	if strings.HasPrefix(recv, "*") {
		recv = "(" + recv + ")"
	}
	return pkg + "." + recv + "." + fn.Name.Name
}
