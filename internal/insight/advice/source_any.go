package advice

import (
	"go/ast"
	"go/types"

	"github.com/gohone/hone/prof"
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

// comparesAny says whether a line compares values of any type by reflect.DeepEqual.
func (f *sourceFile) comparesAny(line int) bool {
	for _, c := range f.callsAt(line) {
		if calleeName(c) == "DeepEqual" && len(c.Args) == 2 {
			x, y := f.info.TypeOf(c.Args[0]), f.info.TypeOf(c.Args[1])
			return x != nil && y != nil && isAny(x) && isAny(y)
		}
	}
	return false
}

// decodesAny matches the user's lines that decode JSON into maps and values of any type.
func (v *View) decodesAny() func(*stack) int {
	decodes := calls(oneOf("encoding/json.Unmarshal", "encoding/json.(*Decoder).Decode"))
	return func(s *stack) int {
		at := decodes(s)
		if at < 0 || at+1 >= len(s.frames) || s.frames[at+1].origin != prof.Own {
			return -1
		}
		file := v.source(s.frames[at+1].file)
		for _, c := range file.callsAt(int(s.frames[at+1].line)) {
			if name := calleeName(c); (name == "Unmarshal" || name == "Decode") && len(c.Args) > 0 &&
				file.intoAny(c.Args[len(c.Args)-1]) {
				return at
			}
		}
		return -1
	}
}

// intoAny says whether a pointer that is handed to a decoder points to values of any type.
func (f *sourceFile) intoAny(e ast.Expr) bool {
	t := f.info.TypeOf(e)
	if t == nil {
		return false
	}
	to, ok := t.Underlying().(*types.Pointer)
	return ok && isAny(to.Elem())
}

// anyFields narrows match to stacks on which the user's packages name fields of values of any type: a struct
// cannot replace a map whose keys are not constants. It keeps stacks whose source is not known.
func (v *View) anyFields(match func(*stack) int) func(*stack) int {
	return func(s *stack) int {
		at := match(s)
		if at < 0 || s.find(oneOf("encoding/json.Unmarshal", "encoding/json.(*Decoder).Decode")) < 0 {
			return at
		}
		known := false
		for i := range s.frames {
			if f := &s.frames[i]; f.origin == prof.Own {
				file := v.source(f.file)
				if known = known || file.file != nil; file.namesFields() {
					return at
				}
			}
		}
		if known {
			return -1
		}
		return at
	}
}

// namesFields says whether the package uses a constant key of a map of values of any type: m["id"], or delete(m, "id").
func (p *sourcePackage) namesFields() (yes bool) {
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
				yes = yes || calleeName(n) == "delete" && len(n.Args) == 2 && constant(n.Args[0], n.Args[1])
			}
			return !yes
		})
	})
	p.named = &yes
	return yes
}
