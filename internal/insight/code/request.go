package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// requestTypes are the types of a request and of what frameworks hand to a handler, as parameters write them.
var requestTypes = map[string]bool{
	"*http.Request": true, "*gin.Context": true, "echo.Context": true, "*echo.Context": true, "*fiber.Ctx": true,
	"fiber.Ctx": true, "*fasthttp.RequestCtx": true,
}

// AsksRequest says whether an expression is made of a parameter that is a request, at once or by way of so many
// variables.
func (f *File) AsksRequest(line int, e ast.Expr, variables int) (yes bool) {
	fn := f.Function(line)
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
				yes = yes || f.AsksRequest(line, from, variables-1)
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
func (f *File) isRequest(fn *ast.FuncDecl, o *types.Var) (yes bool) {
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
func (f *File) definitions(fn *ast.FuncDecl, o *types.Var) (from []ast.Expr) {
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
func (f *File) filledBy(fn *ast.FuncDecl, o *types.Var) (from []ast.Expr) {
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

// SecretIn is the number of the argument with the secret, in a call that derives a key.
func (f *File) SecretIn(c *ast.CallExpr) int {
	switch f.packageOf(c) {
	case "crypto/hkdf", "crypto/pbkdf2", "golang.org/x/crypto/hkdf":
		return 1 // after the hash
	}
	return 0
}
