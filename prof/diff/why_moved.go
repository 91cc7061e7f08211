package diff

import (
	"math"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/symbol"
)

// onOneSide is the part of the dearer side's cost up to which a function is not there on the other one.
const onOneSide = 0.05

// alike is the part of a cost by which what moved may differ.
const alike = 0.01

// withoutMoved leaves out what only moved: what a function of the user's costs that one side alone has, where one that
// the other side alone has costs as much, within the error of both, and does the same.
func (w *why) withoutMoved(changes []Change) []Change {
	changes = slices.DeleteFunc(changes, w.movedInPackage(changes))
	moved := map[int]bool{}
	for i, from := range changes {
		to := -1
		for j := i + 1; j < len(changes) && !moved[i]; j++ {
			if !moved[j] && w.isMove(from, changes[j]) &&
				(to < 0 || math.Abs(from.Delta+changes[j].Delta) < math.Abs(from.Delta+changes[to].Delta)) {
				to = j
			}
		}
		if to >= 0 {
			moved[i], moved[to] = true, true
		}
	}
	var kept []Change
	for i, c := range changes {
		if !moved[i] {
			kept = append(kept, c)
		}
	}
	return kept
}

// movedInPackage takes the changes of the user's functions of packages in which functions came or went, while all of
// the package together costs as much as before, within the error: its code was arranged anew.
func (w *why) movedInPackage(changes []Change) func(Change) bool {
	arranged := map[string]bool{}
	for _, c := range changes {
		if pkg := symbol.PackagePath(c.Function); w.isOwnCode(c) && oneSided(c) && !arranged[pkg] {
			a, b := w.ofPackage(pkg)
			_, differs := w.change(a, b)
			arranged[pkg] = !differs
		}
	}
	return func(c Change) bool { return w.isOwnCode(c) && arranged[symbol.PackagePath(c.Function)] }
}

// isOwnCode says whether a change is of a function of the user's: of its own time, or with what it calls.
func (w *why) isOwnCode(c Change) bool {
	return w.code.Owns(c.Function) && (c.Calls || c.What == symbol.Short(c.Function))
}

// oneSided says whether a place costs nearly nothing on one of the sides.
func oneSided(c Change) bool { return min(c.A, c.B) <= onOneSide*max(c.A, c.B) }

// ofPackage is what a package of the user's costs on both sides with all that it calls, without the libraries' parts
// that were found to have changed.
func (w *why) ofPackage(pkg string) (a, b *groupCost) {
	var costs [2]*groupCost
	for i, s := range w.sides {
		cost, noise := &groupCost{pieces: make([]float64, len(s.captures))}, s.variances()
		s.walk(func(n int, sample *profile.Sample, v float64, stack []symbol.Frame) {
			if !slices.ContainsFunc(stack, func(f symbol.Frame) bool {
				return symbol.PackagePath(f.Function) == pkg && w.code.Owns(f.Function)
			}) {
				return
			}
			if site := w.site(stack); site.What == collectorSite ||
				site.What != symbol.Short(site.Function) && w.found[w.part(site)] {
				return
			}
			cost.add(s, n, v, noise[n](sample))
		})
		costs[i] = cost
	}
	return costs[0], costs[1]
}

// isMove says whether two changes are of one thing: own time by another name, a function with what it calls that
// another one of its package took the place of, or the same call of a library in another function of the package.
func (w *why) isMove(x, y Change) bool {
	// counts have none
	noise := max(w.wide*math.Hypot(x.StdErr, y.StdErr), alike*max(math.Abs(x.Delta), math.Abs(y.Delta)))
	if !oneSided(x) || !oneSided(y) || x.Calls != y.Calls || x.Delta*y.Delta > 0 || math.Abs(x.Delta+y.Delta) > noise {
		return false
	}
	ownX, ownY := w.isOwnCode(x), w.isOwnCode(y)
	samePackage := symbol.PackagePath(x.Function) == symbol.PackagePath(y.Function)
	switch {
	case ownX && ownY && !x.Calls:
		return renamed(x.Function, y.Function)
	case ownX && ownY:
		return samePackage
	}
	return ownX == ownY && samePackage && x.What == y.What
}

// renamed says whether two functions may be one by another name: two closures, a closure and any function of its
// package, or two of one name with other receivers or packages.
func renamed(x, y string) bool {
	_, isClosureX := symbol.ClosureOf(x)
	_, isClosureY := symbol.ClosureOf(y)
	if isClosureX && isClosureY || (isClosureX || isClosureY) && symbol.PackagePath(x) == symbol.PackagePath(y) {
		return true
	}
	last := func(name string) string {
		parts := symbol.SplitName(name[symbol.NameStart(name):])
		plain, _, _ := strings.Cut(parts[len(parts)-1], "[") // without type arguments
		return plain
	}
	return last(x) == last(y)
}

// contradict says whether changes go beyond a whole, in percent and with its error, or against it, by more than the
// errors of all: then the profiles are of something else, and explain nothing.
func contradict(changes []Change, whole, errors float64) bool {
	sum := 0.0
	for _, c := range changes {
		sum, errors = sum+c.Share, math.Hypot(errors, (c.High-c.Low)/2)
	}
	return sum < min(whole, 0)-errors || sum > max(whole, 0)+errors
}

// goesItsWay says whether any change goes the way of the verdict.
func goesItsWay(changes []Change, lower bool) bool {
	return slices.ContainsFunc(changes, func(c Change) bool { return (c.Delta < 0) == lower })
}
