package advice

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gohone/hone/prof"
)

// requestTypes are the types of a request and of what frameworks hand to a handler, as parameters write them.
var requestTypes = map[string]bool{
	"*http.Request": true, "*gin.Context": true, "echo.Context": true, "*echo.Context": true, "*fiber.Ctx": true,
	"fiber.Ctx": true, "*fasthttp.RequestCtx": true,
}

// fromRequest says whether what the user's line of frame number own hands to a library first comes with each request,
// as far as the source says: by way of variables, and of parameters of the user's functions.
func (v *View) fromRequest(s *stack, own int) bool {
	return v.comesWithRequest(s, own, func(*sourceFile, *ast.CallExpr) int { return 0 })
}

// callsOf are the calls on the line of frame number own that call the frame below it: a line may call other functions
// as well. It is nil if the source names none.
func (v *View) callsOf(s *stack, own int) (all []*ast.CallExpr) {
	if own == 0 || own >= len(s.frames) {
		return nil
	}
	f, called := &s.frames[own], s.frames[own-1].name
	for _, c := range v.source(f.file).callsAt(int(f.line)) {
		if calleeName(c) == called[strings.LastIndexByte(called, '.')+1:] {
			all = append(all, c)
		}
	}
	return all
}

// comesWithRequest is fromRequest for the argument whose number is says for each call of the line.
func (v *View) comesWithRequest(s *stack, own int, is func(*sourceFile, *ast.CallExpr) int) bool {
	if own >= len(s.frames) {
		return false
	}
	file := v.source(s.frames[own].file)
	calls := v.callsOf(s, own)
	if calls == nil {
		calls = file.callsAt(int(s.frames[own].line)) // by way of a variable, under another name
	}
	var made []ast.Expr
	for _, c := range calls {
		if i := is(file, c); i < len(c.Args) {
			made = append(made, c.Args[i])
		}
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

// asksRequest says whether an expression is made of a parameter that is a request, at once or by way of so many
// variables.
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

// takesRequest says whether a function has a parameter of a type of requests, or a context.
func takesRequest(fn *ast.FuncDecl) bool {
	return slices.ContainsFunc(fn.Type.Params.List, func(field *ast.Field) bool {
		t := text(field.Type)
		return requestTypes[t] || t == "context.Context"
	})
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

// filledBy are what a function fills a variable from, whose address it hands to a call: r.Body of
// json.NewDecoder(r.Body).Decode(&x).
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
