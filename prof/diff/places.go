package diff

import (
	"cmp"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/sampled"
	"github.com/gohone/hone/prof/symbol"
)

// places are the changes of places, with the lines of the dearer side.
func (t *diffTest) places() []Place {
	places := []Place{}
	lines := map[bool]map[group]prof.Site{false: heaviestLines(t.a, t.code), true: heaviestLines(t.b, t.code)}
	for g, c := range t.changes {
		if g.kind != groupOwner && g.kind != groupSite || t.twin(g) {
			continue
		}
		p := Place{Site: prof.Site{What: g.what, Function: g.function}, Part: g.kind == groupSite && g.function != "",
			Difference: c}
		at, ok := lines[c.Delta > 0][g]
		if !ok {
			at = lines[c.Delta <= 0][g]
		}
		p.File, p.Line = at.File, at.Line
		p.Path = t.code.Path(p.Site)
		places = append(places, p)
	}
	for g := range t.changes { // what a function does, if it is one thing
		if g.kind != groupSite || !t.twin(g) {
			continue
		}
		of := slices.IndexFunc(places, func(p Place) bool { return !p.Part && p.Function == g.function })
		places[of].What = g.what
	}
	slices.SortFunc(places, func(x, y Place) int {
		return cmp.Or(larger(x.Difference, y.Difference), prof.CompareSites(x.Site, y.Site))
	})
	return places
}

// heaviestLines finds the line that costs most of each place.
func heaviestLines(s *diffSide, code *prof.StackReader) map[group]prof.Site {
	weights := map[group]map[prof.Site]float64{}
	s.walk(func(_ int, _ *profile.Sample, v float64, stack []symbol.Frame) {
		at := code.Site(stack)
		owner, site := placesOf(at)
		for _, g := range []group{owner, site} {
			if weights[g] == nil {
				weights[g] = map[prof.Site]float64{}
			}
			line := at
			line.What = g.what
			weights[g][line] += v
			if owner == site {
				break
			}
		}
	})
	lines := map[group]prof.Site{}
	for g, of := range weights {
		lines[g] = sampled.Heaviest(of, prof.CompareSites)
	}
	return lines
}
