package code

import (
	"go/ast"
	"maps"
	"slices"
)

// Starts are the places of the package that start a function or method of that name as a goroutine. pkg is its import
// path.
func (p *Package) Starts(pkg, name string) (all []Place) {
	for _, file := range slices.Sorted(maps.Keys(p.files)) {
		all = append(all, (&File{p, p.files[file]}).starts(file, pkg, name)...)
	}
	return all
}

// starts are the places of a file that start a function or method of that name as a goroutine.
func (f *File) starts(file, pkg, name string) (all []Place) {
	if f.file == nil {
		return nil
	}
	for _, d := range f.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok && CalleeName(g.Call) == name {
				all = append(all, Place{Function: functionName(pkg, fn), File: file, Line: int64(f.line(g.Pos()))})
			}
			return true
		})
	}
	return all
}
