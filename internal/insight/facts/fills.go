package facts

import (
	"go/ast"
	"path"

	"github.com/gohone/hone/internal/insight/code"
)

// Fillings are the statements of the user's functions on a stack that fill something, those of the innermost
// function first.
func (v *View) Fillings(s *Stack) (all []code.Filling) {
	if s == nil {
		return nil
	}
	seen := map[*ast.FuncDecl]bool{}
	for i := range s.Frames {
		file := v.File(s.Frames[i].File)
		fn := file.Function(int(s.Frames[i].Line))
		if fn == nil || seen[fn] {
			continue
		}
		seen[fn] = true
		for _, f := range file.FillingsIn(fn) {
			f.Place.Function, f.Place.File = s.Frames[i].Function, s.Frames[i].File
			all = append(all, f)
		}
	}
	return all
}

// FillingsOf are those of the variable that is declared in a line, in all of its package.
func (v *View) FillingsOf(declared code.Place) []code.Filling {
	return v.PackageIn(path.Dir(declared.File)).FillingsOf(declared)
}
