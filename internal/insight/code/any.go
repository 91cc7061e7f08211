package code

import (
	"go/ast"
	"go/types"
	"slices"
)

// isAny says whether a type holds values of any type: any, and maps and slices of it.
func isAny(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return t.Empty()
	case *types.Pointer:
		return isAny(t.Elem())
	case *types.Map:
		return isAny(t.Elem())
	case *types.Slice:
		return isAny(t.Elem())
	}
	return false
}

// ComparesAny says whether a line compares values of any type by reflect.DeepEqual.
func (f *File) ComparesAny(line int) bool {
	for _, c := range f.CallsAt(line) {
		if CalleeName(c) == "DeepEqual" && len(c.Args) == 2 {
			x, y := f.info.TypeOf(c.Args[0]), f.info.TypeOf(c.Args[1])
			return x != nil && y != nil && isAny(x) && isAny(y)
		}
	}
	return false
}

// DecodesIntoAny says whether a line decodes into values of any type.
func (f *File) DecodesIntoAny(line int) bool {
	return slices.ContainsFunc(f.CallsAt(line), func(c *ast.CallExpr) bool {
		name := CalleeName(c)
		return (name == "Unmarshal" || name == "Decode") && len(c.Args) > 0 && f.intoAny(c.Args[len(c.Args)-1])
	})
}

// intoAny says whether a pointer that is handed to a decoder points to values of any type.
func (f *File) intoAny(e ast.Expr) bool {
	t := f.info.TypeOf(e)
	if t == nil {
		return false
	}
	to, ok := t.Underlying().(*types.Pointer)
	return ok && isAny(to.Elem())
}

// NamesFields says whether the package uses a constant key of a map of values of any type: m["id"], or delete(m, "id").
func (p *Package) NamesFields() (yes bool) {
	if p.named != nil {
		return *p.named
	}
	constant := func(m, key ast.Expr) bool {
		t := p.info.TypeOf(m)
		if t == nil {
			return false
		}
		of, isMap := t.Underlying().(*types.Map)
		return isMap && isAny(of.Elem()) && p.info.Types[key].Value != nil
	}
	p.declarations(func(d ast.Decl) {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IndexExpr:
				yes = yes || constant(n.X, n.Index)
			case *ast.CallExpr:
				yes = yes || CalleeName(n) == "delete" && len(n.Args) == 2 && constant(n.Args[0], n.Args[1])
			}
			return !yes
		})
	})
	p.named = &yes
	return yes
}
