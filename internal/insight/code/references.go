package code

import (
	"go/ast"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Reference is a line of the user's that names a function or value of a library.
type Reference struct {
	Pkg, Name string
	Place     Place
}

// References are those of all files of the package, whose import path is pkg.
func (p *Package) References(pkg string) (all []Reference) {
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		all = append(all, (&File{p, p.files[name]}).references(name, pkg)...)
	}
	return all
}

// references are those of a file.
func (f *File) references(name, pkg string) (all []Reference) {
	if f.file == nil {
		return nil
	}
	paths := map[string]string{} // by the name in the file
	for _, imported := range f.file.Imports {
		path, err := strconv.Unquote(imported.Path.Value)
		if err != nil {
			continue
		}
		local := path[strings.LastIndexByte(path, '/')+1:]
		if imported.Name != nil {
			local = imported.Name.Name
		}
		paths[local] = path
	}
	for _, d := range f.file.Decls {
		function := pkg + ".init"
		if fn, ok := d.(*ast.FuncDecl); ok {
			function = pkg + "." + fn.Name.Name
		}
		ast.Inspect(d, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for _, e := range append([]ast.Expr{c.Fun}, c.Args...) { // what is called, or handed over; no types
				s, ok := e.(*ast.SelectorExpr)
				if !ok {
					continue
				}
				if id, ok := s.X.(*ast.Ident); ok && paths[id.Name] != "" {
					all = append(all, Reference{paths[id.Name], s.Sel.Name,
						Place{Function: function, File: name, Line: int64(f.line(s.Pos()))}})
				}
			}
			return true
		})
	}
	return all
}

// SetsField says whether a file of the package writes a field of that name, by assignment or in a literal.
func (p *Package) SetsField(name string) (yes bool) {
	for _, file := range p.files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				id, ok := n.Key.(*ast.Ident)
				yes = yes || ok && id.Name == name
			case *ast.AssignStmt:
				yes = yes || slices.ContainsFunc(n.Lhs, func(to ast.Expr) bool {
					s, ok := to.(*ast.SelectorExpr)
					return ok && s.Sel.Name == name
				})
			}
			return !yes
		})
	}
	return yes
}
