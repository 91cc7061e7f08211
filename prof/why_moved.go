package prof

import (
	"math"
	"slices"
	"strings"
)

// onOneSide is the part of the dearer side's cost up to which a function is not there on the other one.
const onOneSide = 0.05

// withoutMoved leaves out what only moved: what a function of the user's costs that one side alone has, where one that the other side
// alone has costs as much, within the error of both, and does the same.
func (w *why) withoutMoved(changes []Change) []Change {
	moved := map[int]bool{}
	for i, from := range changes {
		to := -1
		for j := i + 1; j < len(changes) && !moved[i]; j++ {
			if !moved[j] && w.isMove(from, changes[j]) && (to < 0 || math.Abs(from.Delta+changes[j].Delta) < math.Abs(from.Delta+changes[to].Delta)) {
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

// isMove says whether two changes are of one thing: own time by another name, or a function with what it calls that another one of its
// package took the place of.
func (w *why) isMove(x, y Change) bool {
	for _, c := range []Change{x, y} {
		if !w.code.owns(c.Function) || !c.Calls && c.What != shortFunction(c.Function) || min(c.A, c.B) > onOneSide*max(c.A, c.B) {
			return false
		}
	}
	if x.Calls != y.Calls || x.Delta*y.Delta > 0 || math.Abs(x.Delta+y.Delta) > w.wide*math.Hypot(x.StdErr, y.StdErr) {
		return false
	}
	if x.Calls {
		return PackagePath(x.Function) == PackagePath(y.Function)
	}
	return renamed(x.Function, y.Function)
}

// renamed says whether two functions may be one by another name: a closure and any function of its package, or two of one name with
// other receivers or packages.
func renamed(x, y string) bool {
	x, y = canonical(x), canonical(y)
	if PackagePath(x) == PackagePath(y) && (strings.Contains(x, "func*") || strings.Contains(y, "func*")) {
		return true
	}
	last := func(name string) string {
		parts := splitName(name[nameStart(name):])
		plain, _, _ := strings.Cut(parts[len(parts)-1], "[") // without type arguments
		return plain
	}
	return last(x) == last(y)
}

// contradict says whether changes go beyond a whole, in percent and with its error, or against it, by more than the errors of all:
// then the profiles are of something else, and explain nothing.
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
