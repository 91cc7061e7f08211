package diff

import (
	"cmp"
	"math"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/symbol"
	"github.com/gohone/hone/stats"
)

// leastSamples is how many samples of a group both sides must have together before it is
// asked whether it changed. With fewer even all on one side show no more than chance.
const leastSamples = 12

// wholeProgram is the share of both sides from which a function counts as the program
// itself: that main.main became dearer explains nothing.
const wholeProgram = 0.95

// diffGroups are the groups that a diff asks about. The zero group is the whole.
func diffGroups(r *prof.StackReader, groups []group, stack []symbol.Frame) []group {
	groups = append(groups, group{}, group{kind: groupSelf, function: leaf(stack)})
	r.Distinct(stack, func(f symbol.Frame) { groups = append(groups, group{kind: groupCum, function: f.Function}) })
	owner, site := placesOf(r.Site(stack))
	if owner != site {
		groups = append(groups, owner)
	}
	return append(groups, site)
}

func leaf(stack []symbol.Frame) string {
	if len(stack) == 0 {
		return "<unknown>"
	}
	return stack[0].Function
}

// placesOf are the two groups of places that a site is in; one and the same if it is the
// runtime's own.
func placesOf(s prof.Site) (owner, site group) {
	site = group{kind: groupSite, function: s.Function, what: s.What}
	if s.Function == "" {
		return site, site
	}
	return group{kind: groupOwner, function: s.Function}, site
}

// diffTest asks which groups changed.
type diffTest struct {
	a, b    *diffSide
	code    *prof.StackReader
	changes map[group]Difference
}

func newDiffTest(a, b *diffSide, code *prof.StackReader) *diffTest {
	t := &diffTest{a: a, b: b, code: code, changes: map[group]Difference{}}
	for g := range union(a.groups, b.groups) {
		d := compareGroup(a, b, a.of(g), b.of(g))
		c := Difference{
			Word: Same, A: d.a, B: d.b, Delta: d.delta, Low: d.delta - normal95*d.stdErr, High: d.delta + normal95*d.stdErr,
			P: d.p(), Share: percentOf(d.delta, a.side, b.side),
		}
		if d.samples < leastSamples {
			c.P = 1
		}
		t.changes[g] = c
	}
	return t
}

// decide finds the words. The user's own code is one family of questions, all functions
// are the other, and each has half of alpha.
func (t *diffTest) decide(alpha float64) error {
	var own, all []group
	for g, c := range t.changes {
		switch {
		case g == group{}:
			c.Word = c.wordFor(alpha, c)
			t.changes[g] = c
		case c.A == 0 && c.B == 0 || t.twin(g):
		case g.kind == groupOwner || g.kind == groupSite || g.kind == groupCum && t.code.Owns(g.function):
			own = append(own, g)
		default:
			all = append(all, g)
		}
	}
	for _, family := range [][]group{own, all} {
		if len(family) == 0 {
			continue
		}
		p := make([]float64, len(family))
		for i, g := range family {
			p[i] = t.changes[g].P
		}
		adjusted, err := stats.Holm(p)
		if err != nil {
			return err
		}
		for i, g := range family {
			c := t.changes[g]
			c.P = min(1, 2*adjusted[i])
			t.changes[g] = c
		}
	}
	for g, c := range t.changes {
		if g == (group{}) {
			continue
		}
		if t.twin(g) {
			c.P = t.changes[t.elder(g)].P
		}
		wide := c
		if g.kind == groupSelf {
			wide = t.changes[group{kind: groupCum, function: g.function}]
		}
		c.Word = c.wordFor(alpha, wide)
		t.changes[g] = c
	}
	return nil
}

// elder is a group that is asked instead of one that may hold the same stacks: a function
// with what it calls for one that calls nothing, the place of a function for its only part.
func (t *diffTest) elder(g group) group {
	switch g.kind {
	case groupSelf:
		return group{kind: groupCum, function: g.function}
	case groupSite:
		if g.function != "" {
			return group{kind: groupOwner, function: g.function}
		}
	}
	return group{}
}

// twin says whether a group costs what its elder costs, so that to ask it again would only
// take from the level.
func (t *diffTest) twin(g group) bool {
	e := t.elder(g)
	if e == (group{}) {
		return false
	}
	x, y := t.changes[g], t.changes[e]
	return x.A == y.A && x.B == y.B
}

// wordFor says what became of a group; withCalls is the difference of the group with what it calls.
func (c Difference) wordFor(alpha float64, withCalls Difference) Word {
	switch {
	case c.P > alpha || c.A == 0 && c.B == 0:
		return Same
	case withCalls.A == 0:
		return Added
	case withCalls.B == 0:
		return Gone
	case c.Delta > 0:
		return Dearer
	default:
		return Cheaper
	}
}

// larger orders changes, the largest first.
func larger(x, y Difference) int { return cmp.Compare(math.Abs(y.Delta), math.Abs(x.Delta)) }

func (t *diffTest) rows() []Row {
	var rows []Row
	for g, cum := range t.changes {
		if g.kind != groupCum {
			continue
		}
		self, ok := t.changes[group{kind: groupSelf, function: g.function}]
		if !ok {
			self = Difference{Word: Same, P: 1}
		}
		rows = append(rows, Row{
			Function: g.function, Difference: self, CumA: cum.A, CumB: cum.B, Cum: cum, Own: t.code.Owns(g.function),
		})
	}
	slices.SortFunc(rows, func(x, y Row) int {
		return cmp.Or(larger(x.Difference, y.Difference),
			cmp.Compare(max(y.CumA, y.CumB), max(x.CumA, x.CumB)), cmp.Compare(x.Function, y.Function))
	})
	return rows
}

// explained is the change, in percent of A's whole, of the stacks that are in a group of
// the user's that changed, or in a part of the runtime's own work that did.
func (t *diffTest) explained() float64 {
	known := map[group]bool{}
	for g, c := range t.changes {
		nearlyAll := c.A >= wholeProgram*t.a.side.Total && c.B >= wholeProgram*t.b.side.Total
		switch {
		case c.Word == Same || g == group{}:
		case g.kind == groupCum:
			known[g] = t.code.Owns(g.function) && !nearlyAll
		default:
			known[g] = true
		}
	}
	var groups []group
	sum := 0.0
	for _, s := range []*diffSide{t.a, t.b} {
		sign := 1 / s.per
		if s == t.a {
			sign = -sign
		}
		s.walk(func(_ int, _ *profile.Sample, v float64, stack []symbol.Frame) {
			groups = diffGroups(t.code, groups[:0], stack)
			if slices.ContainsFunc(groups, func(g group) bool { return known[g] }) {
				sum += sign * v
			}
		})
	}
	return percentOf(sum, t.a.side, t.b.side)
}
