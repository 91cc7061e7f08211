package advice

import (
	"go/ast"
	"path"
	"strings"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/symbol"
)

// startedAt is the user's line that starts a function of the user's as a goroutine, where there is one such line only.
func (v *View) startedAt(function string) (at Place, ok bool) {
	name, _, _ := strings.Cut(function[strings.LastIndexByte(function, '.')+1:], "-")
	var all []Place
	seen := map[string]bool{}
	for _, s := range v.everyStack() {
		for i := range s.frames {
			f := &s.frames[i]
			if f.origin != prof.Own || f.pkg != symbol.PackagePath(function) || seen[f.file] {
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
