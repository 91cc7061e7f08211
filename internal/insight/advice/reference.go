package advice

import (
	"go/ast"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/prof"
)

// reference is a line of the user's that names a function or value of a library.
type reference struct {
	pkg, name string
	place     Place
}

// referredTo is the user's line that names the library which a stack without a frame of the user's is in: handlers,
// middleware and callbacks are handed over by name, and called from a goroutine of another library. Of several lines it
// is the one whose name is part of the name of a function on the stack, from frame number at outwards, the longest such
// name. What handed the request on is the library of another line.
func (v *View) referredTo(s *stack, at int) (Place, bool) {
	var only []reference
	var best reference
	for i := max(at, 0); i < len(s.frames); i++ {
		f := &s.frames[i]
		if f.origin != prof.Dependency {
			if handsRequest(f) {
				break
			}
			continue
		}
		for _, r := range v.references() {
			if r.pkg != f.pkg {
				continue
			}
			if strings.Contains(strings.ToLower(f.name), strings.ToLower(r.name)) && len(r.name) > len(best.name) {
				best = r
			}
			if !slices.Contains(only, r) {
				only = append(only, r)
			}
		}
		if best.name != "" {
			return best.place, true
		}
		if handsRequest(f) {
			break
		}
	}
	if len(only) == 1 {
		return only[0].place, true
	}
	return Place{}, false
}

// references are those in the packages of the user's that the profiles name.
func (v *View) references() []reference {
	if v.referenced != nil {
		return v.referenced
	}
	v.referenced = []reference{}
	seen := map[string]bool{}
	for _, s := range v.everyStack() {
		for i := range s.frames {
			f := &s.frames[i]
			if f.origin != prof.Own || seen[path.Dir(f.file)] {
				continue
			}
			seen[path.Dir(f.file)] = true
			p := v.packageIn(path.Dir(f.file))
			for _, name := range slices.Sorted(maps.Keys(p.files)) {
				v.referenced = append(v.referenced, v.source(name).references(name, f.pkg)...)
			}
		}
	}
	return v.referenced
}

func (f *sourceFile) references(name, pkg string) (all []reference) {
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
					all = append(all, reference{paths[id.Name], s.Sel.Name,
						Place{Function: function, File: name, Line: int64(f.line(s.Pos()))}})
				}
			}
			return true
		})
	}
	return all
}
