package diff

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/sampled"
)

// Matched are sides on which a closure has one name.
type Matched struct {
	// Sides are the captures of each.
	Sides [][]prof.Capture
	names map[string]string
}

// Name is the name on all sides of a function as a profile calls it: that of the newest side, where several have the
// name.
func (m *Matched) Name(function string) string { return cmp.Or(m.names[function], function) }

// MatchClosures gives the closures of a program one name on all sides, where the sides are profiles of versions of
// it, the oldest first. The compiler numbers closures: an edit that adds one renumbers those after it in its
// function. The name is that of the last side that has the closure. Copies that the compiler makes of a closure,
// where its function is inlined, become one.
//
// Closures with the same number in the same function are the same, unless the profiles speak against it: what a
// closure calls, at which line from its first, is then found under another number, and no function of the file below
// stayed where it was. Closures stay in the order of the source. Copies are the same if they begin in the same line,
// or stand in the same order.
//
// Profiles stay as they are: where a name changes, a capture has a new one. Where one is not sound, all are as they
// were.
func MatchClosures(sides ...[]prof.Capture) *Matched {
	m := &Matched{Sides: make([][]prof.Capture, len(sides)), names: map[string]string{}}
	for _, captures := range sides {
		for _, c := range captures {
			if sampled.Check(c.Profile) != nil {
				return &Matched{Sides: sides}
			}
		}
	}
	var newer *closureSide
	for i := len(sides) - 1; i >= 0; i-- {
		side := newClosureSide(sides[i])
		if newer != nil {
			side.takeNames(newer)
		}
		m.Sides[i] = side.rename(sides[i])
		for name, c := range side.of {
			m.names[name] = cmp.Or(m.names[name], c.name)
		}
		newer = side
	}
	return m
}

// takeNames gives the closures that the newer side has, too, the names that they have there. A closure that the newer
// side does not have keeps its own, with its line if the newer side has another one of that name. What the newer side
// alone has is kept for older ones.
func (s *closureSide) takeNames(newer *closureSide) {
	p := s.pairUp(newer)
	taken := map[string]bool{}
	for _, y := range newer.closures {
		taken[y.name] = true
	}
	for _, x := range s.closures {
		switch y := p.pairs[x]; {
		case y != nil:
			x.name = y.name
		case taken[x.name]:
			x.name = fmt.Sprintf("%s (%s:%d)", x.name, x.file, x.line)
		}
	}
	for _, c := range newer.closures {
		if !p.paired[c] {
			s.closures = append(s.closures, c)
		}
	}
	slices.SortStableFunc(s.closures, inOrder)
}

// rename gives captures the names of the side's closures.
func (s *closureSide) rename(captures []prof.Capture) []prof.Capture {
	renamed := slices.Clone(captures)
	for i, c := range captures {
		renamed[i].Profile = s.renameIn(c.Profile)
	}
	return renamed
}

// renameIn is the profile itself if all its closures have their names already.
func (s *closureSide) renameIn(p *profile.Profile) *profile.Profile {
	functions := map[*profile.Function]*profile.Function{}
	for _, l := range p.Location {
		for _, line := range l.Line {
			f := *line.Function
			if c := s.of[f.Name]; c != nil && c.name != f.Name && functions[line.Function] == nil {
				f.Name = c.name
				functions[line.Function] = &f
			}
		}
	}
	if len(functions) == 0 {
		return p
	}
	now := sampled.Shallow(p)
	locations := make(map[*profile.Location]*profile.Location, len(p.Location))
	for i, l := range p.Location {
		changed := *l
		changed.Line = slices.Clone(l.Line)
		for j := range changed.Line {
			changed.Line[j].Function = cmp.Or(functions[changed.Line[j].Function], changed.Line[j].Function)
		}
		now.Location[i], locations[l] = &changed, &changed
	}
	for i, f := range p.Function {
		now.Function[i] = cmp.Or(functions[f], f)
	}
	for i, sample := range p.Sample {
		changed := *sample
		changed.Location = slices.Clone(sample.Location)
		for j := range changed.Location {
			changed.Location[j] = locations[changed.Location[j]]
		}
		now.Sample[i] = &changed
	}
	return now
}
