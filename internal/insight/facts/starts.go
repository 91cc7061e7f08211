package facts

import (
	"path"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/symbol"
)

// StartedAt is the user's line that starts a function of the user's as a goroutine, where there is one such line only.
func (v *View) StartedAt(function string) (at code.Place, ok bool) {
	name, _, _ := strings.Cut(function[strings.LastIndexByte(function, '.')+1:], "-")
	var all []code.Place
	seen := map[string]bool{}
	for _, s := range v.EveryStack() {
		for i := range s.Frames {
			f := &s.Frames[i]
			if f.Origin != prof.Own || f.Pkg != symbol.PackagePath(function) || seen[path.Dir(f.File)] {
				continue
			}
			seen[path.Dir(f.File)] = true
			all = append(all, v.PackageIn(path.Dir(f.File)).Starts(f.Pkg, name)...)
		}
	}
	if len(all) != 1 {
		return code.Place{}, false
	}
	return all[0], true
}
