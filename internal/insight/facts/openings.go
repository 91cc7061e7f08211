package facts

import (
	"path"
	"slices"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
)

// Opens is the user's call that opens what is not closed: the only one, or the first whose function closes nothing.
func (v *View) Opens() (o code.Opening, ok bool) {
	var all []code.Opening
	seen := map[string]bool{}
	for _, s := range v.EveryStack() {
		for i := range s.Frames {
			f := &s.Frames[i]
			if dir := path.Dir(f.File); f.Origin == prof.Own && f.File != "" && !seen[dir] {
				seen[dir] = true
				all = append(all, v.PackageIn(dir).Openings(f.Pkg)...)
			}
		}
	}
	slices.SortFunc(all, func(a, b code.Opening) int { return code.ComparePlaces(a.Place, b.Place) })
	if i := slices.IndexFunc(all, func(o code.Opening) bool { return !o.Closed }); i >= 0 {
		return all[i], true
	}
	if len(all) == 1 {
		return all[0], true
	}
	return o, false
}
