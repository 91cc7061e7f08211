package code

import (
	"go/ast"
	"go/types"
)

// JSONThereAndBack says whether a line encodes JSON that its function only decodes again, or decodes that: the text
// is in a variable that nothing else uses.
func (f *File) JSONThereAndBack(line int) bool {
	fn := f.Function(line)
	if fn == nil {
		return false
	}
	for _, c := range f.CallsAt(line) {
		if f.packageOf(c) != "encoding/json" && !f.jsonCoder(c) {
			continue
		}
		for o := range f.textsOf(fn, c) {
			if f.onlyJSON(fn, o) {
				return true
			}
		}
	}
	return false
}

// jsonCoder says whether a call is Encode or Decode of json.NewEncoder(...) or json.NewDecoder(...).
func (f *File) jsonCoder(c *ast.CallExpr) bool {
	s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Encode" && s.Sel.Name != "Decode" {
		return false
	}
	made, ok := ast.Unparen(s.X).(*ast.CallExpr)
	return ok && f.packageOf(made) == "encoding/json"
}

// textsOf are the variables of bytes that a call of package json writes or reads: what takes the result of Marshal, the
// first argument of Unmarshal, and what NewEncoder and NewDecoder get.
func (f *File) textsOf(fn *ast.FuncDecl, c *ast.CallExpr) map[*types.Var]bool {
	all := map[*types.Var]bool{}
	note := func(e ast.Node) {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if o, ok := f.info.ObjectOf(id).(*types.Var); ok && !o.IsField() && !f.isPackageLevel(id) {
					all[o] = true
				}
			}
			return true
		})
	}
	switch name := CalleeName(c); {
	case name == "Marshal" || name == "MarshalIndent":
		ast.Inspect(fn, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok && len(a.Rhs) == 1 && ast.Unparen(a.Rhs[0]) == ast.Expr(c) {
				note(a.Lhs[0])
			}
			return true
		})
	case (name == "Unmarshal" || name == "NewEncoder" || name == "NewDecoder") && len(c.Args) > 0:
		note(c.Args[0])
	case name == "Encode" || name == "Decode":
		if s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
			if made, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && len(made.Args) > 0 {
				note(made.Args[0])
			}
		}
	}
	return all
}

// onlyJSON says whether a function encodes into a variable, decodes from it, and uses it for nothing else but its error
// and Reset.
func (f *File) onlyJSON(fn *ast.FuncDecl, o *types.Var) bool {
	encoded, decoded := 0, 0
	spent := map[*ast.Ident]bool{}
	spend := func(e ast.Node) {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && f.info.ObjectOf(id) == o {
				spent[id] = true
			}
			return true
		})
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for _, id := range n.Names {
				spend(id)
			}
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				spend(to)
			}
		case *ast.CallExpr:
			name := CalleeName(n)
			if s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && name == "Reset" {
				spend(s.X)
			}
			if f.packageOf(n) != "encoding/json" || !f.textsOf(fn, n)[o] {
				return true
			}
			switch name {
			case "Marshal", "MarshalIndent", "NewEncoder":
				encoded++
			case "Unmarshal", "NewDecoder":
				decoded++
			}
			spend(n)
		}
		return true
	})
	if encoded == 0 || decoded == 0 {
		return false
	}
	only := true
	ast.Inspect(fn, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		only = only && (!ok || f.info.ObjectOf(id) != o || spent[id])
		return only
	})
	return only
}
