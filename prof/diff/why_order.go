package diff

import (
	"math"
	"slices"
)

// mostCauses is how many changes explain a verdict.
const mostCauses = 3

// worthALine are the changes that explain a verdict, three that go its way (down, if lower) in the order of causes, and
// the largest that goes against it, if it is larger than one of them. The first line always goes the way of the
// verdict.
func worthALine(changes []Change, lower, allocatesToo bool) []Change {
	all := slices.Clone(changes)
	byDelta(all)
	isAgainst := func(c Change) bool { return (c.Delta < 0) != lower }
	chosen := causesFirst(slices.DeleteFunc(slices.Clone(all), isAgainst), allocatesToo)
	chosen = chosen[:min(mostCauses, len(chosen))]
	if i := slices.IndexFunc(all, isAgainst); i >= 0 && len(chosen) > 0 {
		against := all[i]
		smaller := slices.IndexFunc(chosen, func(c Change) bool { return math.Abs(c.Delta) < math.Abs(against.Delta) })
		if smaller >= 0 {
			chosen = slices.Insert(chosen, max(1, smaller), against)
		}
	}
	return chosen
}

// causesFirst puts what changed at lines of the user's before what the runtime and libraries do by themselves: the
// scheduler and the calls of a server follow from the former. One of them is the cause where it is more than all of the
// user's lines. The collector comes last if what is allocated changed, too. Each kind stays in its order, the largest
// first.
func causesFirst(changes []Change, allocatesToo bool) []Change {
	sum, largest := 0.0, 0.0
	kind := func(c Change) int { // the order of kinds
		switch {
		case allocatesToo && c.What == collectorSite:
			return 2
		case c.Outside:
			return 1
		}
		return 0
	}
	for _, c := range changes {
		switch kind(c) {
		case 0:
			sum += math.Abs(c.Delta)
		case 1:
			largest = max(largest, math.Abs(c.Delta))
		}
	}
	ordered := slices.Clone(changes)
	slices.SortStableFunc(ordered, func(x, y Change) int {
		if kind(x) < 2 && kind(y) < 2 && largest > sum {
			return 0
		}
		return kind(x) - kind(y)
	})
	return ordered
}
