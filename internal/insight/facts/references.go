package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
)

// referredTo is the user's line that names the library which a stack without a frame of the user's is in: handlers,
// middleware and callbacks are handed over by name, and called from a goroutine of another library. Of several lines it
// is the one whose name is part of the name of a function on the stack, from frame number at outwards, the longest such
// name. What handed the request on is the library of another line.
func (v *View) referredTo(s *Stack, at int) (code.Place, bool) {
	var only []code.Reference
	var best code.Reference
	for i := max(at, 0); i < len(s.Frames); i++ {
		f := &s.Frames[i]
		if f.Origin != prof.Dependency {
			if handsRequest(f) {
				break
			}
			continue
		}
		for _, r := range v.References() {
			if r.Pkg != f.Pkg {
				continue
			}
			if strings.Contains(strings.ToLower(f.Name), strings.ToLower(r.Name)) && len(r.Name) > len(best.Name) {
				best = r
			}
			if !slices.Contains(only, r) {
				only = append(only, r)
			}
		}
		if best.Name != "" {
			return best.Place, true
		}
		if handsRequest(f) {
			break
		}
	}
	if len(only) == 1 {
		return only[0].Place, true
	}
	return code.Place{}, false
}

// References are those in the packages of the user's that the profiles name.
func (v *View) References() []code.Reference {
	if v.referenced != nil {
		return v.referenced
	}
	v.referenced = []code.Reference{}
	seen := map[string]bool{}
	for _, s := range v.EveryStack() {
		for i := range s.Frames {
			f := &s.Frames[i]
			if f.Origin != prof.Own || seen[path.Dir(f.File)] {
				continue
			}
			seen[path.Dir(f.File)] = true
			v.referenced = append(v.referenced, v.PackageIn(path.Dir(f.File)).References(f.Pkg)...)
		}
	}
	return v.referenced
}

// SetsField says whether the user's packages that the profiles name write a field of that name, by assignment or in a
// literal.
func (v *View) SetsField(name string) bool {
	seen := map[string]bool{}
	for _, s := range v.EveryStack() {
		for i := range s.Frames {
			dir := path.Dir(s.Frames[i].File)
			if s.Frames[i].Origin != prof.Own || seen[dir] {
				continue
			}
			seen[dir] = true
			if v.PackageIn(dir).SetsField(name) {
				return true
			}
		}
	}
	return false
}
