package decisions

import (
	"fmt"
	"slices"
	"strings"
)

// Change is a decision that the compiler made otherwise in B.
type Change struct {
	// Text says it as a clause: "cart.(*Cart).Add is no longer inlined in main.work (cost 88, limit 80)".
	Text string
	// Dearer says that it makes the program slower, or has it allocate more.
	Dearer bool
	// Callee is the function that can be inlined in one of the builds only; empty of other changes.
	Callee string
	// Line is where values are that escape now, or escape no longer; 0 of other changes. Sized says that they do only
	// if they are large.
	Line  int
	Sized bool
	// Bounds says that it is about checks of bounds.
	Bounds bool
}

// Builds are the decisions of two builds.
type Builds struct {
	A, B Listing
	// Called says whether a profile of a side, 0 or 1, has a function that is called, and not inlined.
	Called func(side int, function string) bool
}

// mostFacts is how many values or lines a clause names.
const mostFacts = 3

// Of are the decisions about one function, by its Name, that differ between the builds: those about its calls first,
// then values on the heap, then bounds.
func (b Builds) Of(function string) []Change {
	function = b.declared(function)
	x, y := b.A[function], b.B[function]
	if x == nil || y == nil {
		return nil // there is no other decision to hold against it
	}
	all := b.intoOthers(function, x, y)
	all = append(all, b.calls(function, x, y)...)
	all = append(all, direct(function, x, y)...)
	all = append(all, heap(x, y)...)
	return append(all, checks(function, x, y)...)
}

// declared is the function that has a name in both builds: that of a closure in an inlined function begins with the
// function that it is inlined into.
func (b Builds) declared(function string) string {
	if b.A[function] != nil && b.B[function] != nil {
		return function
	}
	name, rest, _ := strings.Cut(function, ".")
	if _, inner, found := strings.Cut(rest, "."); found && b.A[name+"."+inner] != nil {
		return name + "." + inner
	}
	return function
}

// InlinedAt are the lines of a function at which another is inlined into it, in any of the builds.
func (b Builds) InlinedAt(function, callee string) (lines []int) {
	for _, side := range []Listing{b.A, b.B} {
		if f := side[function]; f != nil {
			for _, call := range f.Inlined {
				if call.What == callee {
					lines = append(lines, call.Line)
				}
			}
		}
	}
	return lines
}

// EscapesAt says whether a value on a line of a function escapes, in any of the builds.
func (b Builds) EscapesAt(function string, line int) bool {
	at := func(f Fact) bool { return f.Line == line }
	x, y := b.A[function], b.B[function]
	return x != nil && slices.ContainsFunc(x.Heap, at) || y != nil && slices.ContainsFunc(y.Heap, at)
}

// Callers are the functions into which another is inlined, in any of the builds.
func (b Builds) Callers(callee string) (all []string) {
	for _, side := range []Listing{b.A, b.B} {
		for name, f := range side {
			if slices.ContainsFunc(f.Inlined, func(c Fact) bool { return c.What == callee }) {
				all = append(all, name)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// intoOthers says that a function is inlined no longer, or only now, into any that calls it.
func (b Builds) intoOthers(function string, x, y *Function) []Change {
	if x.Inlinable == y.Inlinable {
		return nil
	}
	with := b.A
	if y.Inlinable {
		with = b.B
	}
	isCall := func(c Fact) bool { return c.What == function }
	var callers []string
	for name, f := range with {
		if slices.ContainsFunc(f.Inlined, isCall) {
			callers = append(callers, name)
		}
	}
	if len(callers) == 0 { // what was never inlined changes nothing
		return nil
	}
	slices.Sort(callers)
	first := with[callers[0]].Inlined
	at, where := first[slices.IndexFunc(first, isCall)], ""
	if len(callers) == 1 {
		where = callers[0]
	}
	return []Change{inlining(function, where, at, x, y)}
}

// calls says which functions are inlined no longer, or only now, into one.
func (b Builds) calls(function string, x, y *Function) (all []Change) {
	for _, callee := range names(x.Inlined, y.Inlined) {
		before, after := count(x.Inlined, callee), count(y.Inlined, callee)
		if before == after {
			continue
		}
		dearer := before > after
		side, facts := 0, y.Inlined
		if dearer {
			side, facts = 1, x.Inlined
		}
		at := facts[slices.IndexFunc(facts, func(f Fact) bool { return f.What == callee })]
		of, with := b.A[callee], b.B[callee]
		switch {
		case of != nil && with != nil && of.Inlinable != with.Inlinable:
			if with.Inlinable == !dearer {
				all = append(all, inlining(callee, function, at, of, with))
			}
		case b.Called != nil && b.Called(side, callee): // the source still calls it on that side
			word := "now"
			if dearer {
				word = "no longer"
			}
			text := fmt.Sprintf("%s is %s inlined in %s", callee, word, function)
			if at.Hot {
				text += fmt.Sprintf(" (a hot call in the profile of -pgo: %s:%d)", at.File, at.Line)
			}
			all = append(all, Change{Text: text, Dearer: dearer})
		}
	}
	return all
}

// inlining says why a function is inlined no longer, or only now. caller is empty where there are several.
func inlining(function, caller string, at Fact, x, y *Function) Change {
	if caller != "" {
		caller = " in " + caller
	}
	if x.Inlinable {
		return Change{Text: fmt.Sprintf("%s is no longer inlined%s (%s)", function, caller, y.reason()), Dearer: true,
			Callee: function}
	}
	why := ""
	switch limit := x.Limit; {
	case limit > 0 && y.Cost > limit:
		why = fmt.Sprintf(" (cost %d, over the limit of %d, but a hot call in the profile of -pgo: %s:%d)", y.Cost, limit,
			at.File, at.Line)
	case limit > 0:
		why = fmt.Sprintf(" (cost %d instead of %d, limit %d)", y.Cost, x.Cost, limit)
	case x.Reason != "":
		why = fmt.Sprintf(" (before: %s)", x.Reason)
	}
	return Change{Text: fmt.Sprintf("%s is now inlined%s%s", function, caller, why), Callee: function}
}

// reason is why a function is not inlined.
func (f *Function) reason() string {
	if f.Limit > 0 {
		return fmt.Sprintf("cost %d, limit %d", f.Cost, f.Limit)
	}
	if statement, ok := strings.CutPrefix(f.Reason, "unhandled op "); ok {
		return "it has a statement " + strings.ToLower(statement)
	}
	return f.Reason
}

// direct says which calls through interfaces are direct no longer, or only now.
func direct(function string, x, y *Function) (all []Change) {
	for _, call := range names(x.Direct, y.Direct) {
		before, after := count(x.Direct, call), count(y.Direct, call)
		switch {
		case before > after && count(y.Direct, call) == 0:
			all = append(all, Change{Dearer: true,
				Text: fmt.Sprintf("the call %s in %s goes through its interface again", call, function)})
		case before < after && before == 0:
			at := y.Direct[slices.IndexFunc(y.Direct, func(f Fact) bool { return f.What == call })]
			text := fmt.Sprintf("the call %s in %s is now direct: %s", call, function, at.By)
			if at.Hot {
				text += fmt.Sprintf(" (a hot call in the profile of -pgo: %s:%d)", at.File, at.Line)
			}
			all = append(all, Change{Text: text})
		}
	}
	return all
}

// heap says which values a function puts on the heap now, or no longer.
func heap(x, y *Function) (all []Change) {
	before, after := allocated(x.Heap), allocated(y.Heap)
	if len(after) == len(before) { // another value instead of one
		return nil
	}
	all = escapes(beyond(after, before), "now", true)
	return append(all, escapes(beyond(before, after), "no longer", false)...)
}

// escapes writes the values of a line that escape by one call in one clause: "user, item at key.go:6 now escape:
// fmt.Sprintf".
func escapes(facts []Fact, word string, dearer bool) (all []Change) {
	for len(facts) > 0 {
		first := facts[0]
		var values []string
		facts = slices.DeleteFunc(slices.Clone(facts), func(f Fact) bool {
			same := f.File == first.File && f.Line == first.Line && f.By == first.By && f.Sized == first.Sized
			if same && !slices.Contains(values, f.What) {
				values = append(values, f.What)
			}
			return same
		})
		verb := "escapes"
		if len(values) > 1 {
			verb = "escape"
		}
		text := fmt.Sprintf("%s at %s:%d %s %s", strings.Join(values[:min(len(values), mostFacts)], ", "), first.File,
			first.Line, word, verb)
		switch {
		case first.Sized:
			text += " (variable size over 32 B)"
		case first.By != "":
			text += ": " + first.By
		}
		all = append(all, Change{Text: text, Dearer: dearer, Line: first.Line, Sized: first.Sized})
	}
	return all
}

// allocated are the values that take memory when the program runs: constants do not.
func allocated(heap []Fact) (all []Fact) {
	for _, f := range heap {
		if f.What != "" && f.What != "... argument" && !strings.ContainsAny(f.What[:1], "\"`'0123456789") {
			all = append(all, f)
		}
	}
	return all
}

// beyond are the facts of all that some do not have, by what they are about.
func beyond(all, some []Fact) (more []Fact) {
	left := map[string]int{}
	for _, f := range some {
		left[f.What]++
	}
	for _, f := range all {
		if left[f.What]--; left[f.What] < 0 {
			more = append(more, f)
		}
	}
	return more
}

// checks says how many bounds are checked that were not.
func checks(function string, x, y *Function) []Change {
	n := len(y.Checks) - len(x.Checks)
	if n == 0 {
		return nil
	}
	word, only := "more", onOtherLines(y, x)
	if n < 0 {
		n, word, only = -n, "fewer", onOtherLines(x, y)
	}
	noun := "bounds checks"
	if n == 1 {
		noun = "bounds check"
	}
	text := fmt.Sprintf("%d %s %s in %s", n, noun, word, function)
	if len(only) == n { // which they are is sure
		var lines []string
		for _, f := range only[:min(n, mostFacts)] {
			lines = append(lines, fmt.Sprintf("%s:%d", f.File, f.Line))
		}
		text += " (" + strings.Join(slices.Compact(lines), ", ") + ")"
	}
	return []Change{{Text: text, Dearer: word == "more", Bounds: true}}
}

// onOtherLines are the checks of a function on lines, counted from where it begins, that have fewer in the other build.
func onOtherLines(of, other *Function) (only []Fact) {
	left := map[int]int{}
	for _, f := range other.Checks {
		left[f.Line-other.Line]++
	}
	for _, f := range of.Checks {
		if left[f.Line-of.Line]--; left[f.Line-of.Line] < 0 {
			only = append(only, f)
		}
	}
	return only
}

// names are what facts are about, each once, in order.
func names(lists ...[]Fact) (all []string) {
	for _, f := range slices.Concat(lists...) {
		all = append(all, f.What)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func count(facts []Fact, what string) (n int) {
	for _, f := range facts {
		if f.What == what {
			n++
		}
	}
	return n
}
