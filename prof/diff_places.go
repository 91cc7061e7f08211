package prof

import (
	"cmp"
	"slices"

	"github.com/google/pprof/profile"
)

// places are the changes of places, with the lines of the dearer side.
func (t *diffTest) places() []DiffPlace {
	places := []DiffPlace{}
	lines := map[bool]map[group]Site{false: heaviestLines(t.a, t.code), true: heaviestLines(t.b, t.code)}
	for g, c := range t.changes {
		if g.kind != groupOwner && g.kind != groupSite || t.twin(g) {
			continue
		}
		p := DiffPlace{Site: Site{What: g.what, Function: g.function}, Part: g.kind == groupSite && g.function != "",
			DiffChange: c}
		at, ok := lines[c.Delta > 0][g]
		if !ok {
			at = lines[c.Delta <= 0][g]
		}
		p.File, p.Line = at.File, at.Line
		p.Path = t.code.path(p.Site)
		places = append(places, p)
	}
	for g := range t.changes { // what a function does, if it is one thing
		if g.kind != groupSite || !t.twin(g) {
			continue
		}
		of := slices.IndexFunc(places, func(p DiffPlace) bool { return !p.Part && p.Function == g.function })
		places[of].What = g.what
	}
	slices.SortFunc(places, func(x, y DiffPlace) int {
		return cmp.Or(larger(x.DiffChange, y.DiffChange), compareSites(x.Site, y.Site))
	})
	return places
}

// heaviestLines finds the line that costs most of each place.
func heaviestLines(s *diffSide, code *reader) map[group]Site {
	weights := map[group]map[Site]float64{}
	s.walk(func(_ int, _ *profile.Sample, v float64, stack []frame) {
		at := code.site(stack)
		owner, site := placesOf(at)
		for _, g := range []group{owner, site} {
			if weights[g] == nil {
				weights[g] = map[Site]float64{}
			}
			line := at
			line.What = g.what
			weights[g][line] += v
			if owner == site {
				break
			}
		}
	})
	lines := map[group]Site{}
	for g, of := range weights {
		lines[g] = heaviest(of, compareSites)
	}
	return lines
}
