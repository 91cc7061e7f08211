package facts

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
)

// DependsOnType is the user's frame nearest to the leaf of a stack whose line makes something that depends on nothing
// but types of package reflect, as far as the source says: fields, tags, and what is made of them. -1 if there is none.
func (v *View) DependsOnType(s *Stack) int {
	if !slices.ContainsFunc(v.References(), func(r code.Reference) bool { return r.Pkg == "reflect" }) {
		return -1
	}
	own := s.Own(0)
	for i := own; i < min(len(s.Frames), own+framesOfLoop) && s.Frames[i].Origin == prof.Own; i++ {
		f, callee := &s.Frames[i], ""
		if i > 0 && s.Frames[i-1].Origin != prof.Runtime {
			callee = s.Frames[i-1].Function
		}
		at := callSite{f.Place(), callee}
		depends, known := v.typedAt[at]
		if !known {
			if v.typedAt == nil {
				v.typedAt = map[callSite]bool{}
			}
			depends = v.File(f.File).OfType(int(f.Line), plain(callee)[strings.LastIndexByte(plain(callee), '.')+1:])
			v.typedAt[at] = depends
		}
		if depends {
			return i
		}
	}
	return -1
}
