package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// The ways to allocate, by the runtime's function for each.
const (
	WayMap     = "internal/runtime/maps.(*table).grow"
	wayAppend  = "runtime.growslice"
	wayJoin    = "runtime.concatstrings"
	wayString  = "runtime.slicebytetostring"
	wayBytes   = "runtime.stringtoslicebyte"
	wayMake    = "runtime.makeslice"
	wayObject  = "runtime.newobject"
	wayMakeMap = "runtime.makemap"
)

// Allocations are the ways in which a line may allocate, those that tell most first.
func (f *File) Allocations(line int) []string {
	found := map[string]bool{}
	f.inspect(line, func(n ast.Node) bool {
		if n == nil || !f.spans(n, line) {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			if f.line(n.Pos()) == line || f.line(n.Rparen) == line {
				f.callAllocates(n, found)
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if x, ok := e.(*ast.IndexExpr); ok && f.isMap(x.X) {
					found[WayMap] = true
				}
			}
			if n.Tok == token.ADD_ASSIGN && f.isString(n.Lhs[0]) {
				found[wayJoin] = true
			}
		case *ast.IncDecStmt:
			if x, ok := n.X.(*ast.IndexExpr); ok && f.isMap(x.X) {
				found[WayMap] = true
			}
		case *ast.BinaryExpr:
			if n.Op == token.ADD && (f.isString(n.X) || f.isString(n.Y)) {
				found[wayJoin] = true
			}
		case *ast.CompositeLit:
			if f.line(n.Pos()) == line {
				if f.isMap(n) {
					found[wayMakeMap] = true
				} else {
					found[wayObject] = true
				}
			}
		case *ast.FuncLit:
			if f.line(n.Pos()) == line {
				found[wayObject] = true
			}
			return f.line(n.Body.Lbrace) < line
		}
		return true
	})
	var ways []string
	for _, w := range []string{WayMap, wayMakeMap, wayAppend, wayJoin, wayString, wayBytes, wayMake, wayObject} {
		if found[w] {
			ways = append(ways, w)
		}
	}
	return ways
}

func (f *File) callAllocates(c *ast.CallExpr, found map[string]bool) {
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		switch fun.Name {
		case "append":
			found[wayAppend] = true
		case "new":
			found[wayObject] = true
		case "string":
			found[wayString] = true
		case "make":
			switch {
			case f.isMap(c):
				found[wayMakeMap] = true
			default:
				found[wayMake] = true
			}
		}
	case *ast.ArrayType:
		if id, ok := fun.Elt.(*ast.Ident); ok && (id.Name == "byte" || id.Name == "rune") {
			found[wayBytes] = true
		}
	}
}

func (f *File) isMap(e ast.Expr) bool {
	t := f.info.TypeOf(e)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

func (f *File) isString(e ast.Expr) bool {
	t := f.info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// MakesSized says whether a line makes a map with the number of its entries.
func (f *File) MakesSized(line int) bool {
	return slices.ContainsFunc(f.CallsAt(line), func(c *ast.CallExpr) bool {
		return CalleeName(c) == "make" && len(c.Args) > 1 && f.isMap(c)
	})
}

// MakesOther says whether a line makes values that are not bytes: a slice of another type, a map, a struct.
func (f *File) MakesOther(line int) bool {
	ways := f.Allocations(line)
	for _, c := range f.CallsAt(line) {
		if CalleeName(c) != "make" || len(c.Args) == 0 {
			continue
		}
		if t, ok := c.Args[0].(*ast.ArrayType); ok {
			if id, ok := t.Elt.(*ast.Ident); ok && id.Name == "byte" {
				return false
			}
		}
		return true
	}
	return len(ways) > 0 && !slices.Contains(ways, wayMake)
}
