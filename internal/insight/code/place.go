package code

import (
	"cmp"
	"go/ast"
	"strings"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

// Place is a line of the user's module.
type Place struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int64  `json:"line"`
}

// String is the line first, with the end of the path, then the function.
func (p Place) String() string {
	return diff.Change{Site: prof.Site{Function: p.Function, File: p.File, Line: p.Line}}.Place()
}

// ComparePlaces orders places by file, line and function.
func ComparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Function, b.Function))
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
