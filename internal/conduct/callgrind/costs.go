package callgrind

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// Costs are the instructions of one operation.
type Costs struct {
	// Total are all instructions of an operation: the sum of Self.
	Total float64
	// Self are those of each function without what it calls. Of a function whose work does not
	// depend on the number of operations it is nearly 0, of either sign.
	Self map[string]float64

	callers map[string][]caller // of each function, with their shares
}

// caller is one of the callers of a function and the share of its calls that come from it.
type caller struct {
	name  string
	share float64
}

// Slope takes the instructions of an operation from two profiles of one program: few did a number
// of operations, many did more of them by that number. What both did once, as starting and
// preparing, is in neither; what grows with the operations, as garbage collection, is.
func Slope(few, many *Profile, more uint64) *Costs {
	c := &Costs{Self: map[string]float64{}, callers: map[string][]caller{}}
	per := func(few, many uint64) float64 { return (float64(many) - float64(few)) / float64(more) }
	c.Total = per(few.Total, many.Total)
	for name := range keys(few.Self, many.Self) {
		if v := per(few.Self[name], many.Self[name]); v != 0 {
			c.Self[name] = v
		}
	}
	c.share(few, many)
	return c
}

// fewCalls is how many calls more there must be in the longer profile until their growth says
// where a function is called from. What is called that seldom was mostly called by set-up.
const fewCalls = 10

// share finds for each function which share of its calls comes from which caller.
func (c *Costs) share(few, many *Profile) {
	grown, all := map[string]float64{}, map[string]float64{}
	real := map[Call]uint64{}
	for call, n := range many.Calls {
		if !isCall(call, n, many.Calls) {
			continue
		}
		real[call] = n
		all[call.Callee] += float64(n)
		grown[call.Callee] += growth(few.Calls[call], n)
	}
	for call, n := range real {
		part := float64(n) / all[call.Callee]
		if grown[call.Callee] >= fewCalls {
			part = growth(few.Calls[call], n) / grown[call.Callee]
		}
		if part > 0 {
			c.callers[call.Callee] = append(c.callers[call.Callee], caller{call.Caller, part})
		}
	}
	for _, of := range c.callers { // the order of a sum is in its last digits
		slices.SortFunc(of, func(x, y caller) int { return strings.Compare(x.name, y.name) })
	}
}

func growth(few, many uint64) float64 { return math.Max(0, float64(many)-float64(few)) }

// returns is how much more often a function must have been called by another than it called it,
// for the latter to be taken for returns. Two functions that call each other in turn do so about
// equally often.
const returns = 10

// isCall says whether an edge is a call of the program's. Others are what callgrind makes of a
// change of the stack:
//
//   - Go's scheduler leaves mcall and gogo for another goroutine, wherever that stands.
//   - A return to a function whose frame callgrind has lost is a call of that function to it.
//   - A function that calls itself says nothing about who called it first.
func isCall(c Call, n uint64, calls map[Call]uint64) bool {
	if c.Caller == c.Callee || switchesStacks(c.Caller) {
		return false
	}
	return calls[Call{c.Callee, c.Caller}] < returns*n
}

// switchesStacks says whether a function of the Go runtime is one that goes on with another
// goroutine (runtime/asm_*.s).
func switchesStacks(function string) bool {
	switch strings.TrimSuffix(function, ".abi0") {
	case "gogo", "runtime.gogo", "runtime.mcall":
		return true
	}
	return false
}

// Limits of the iteration in Inclusive.
const (
	mostSweeps = 500
	exactness  = 1e-9
)

// Inclusive returns the instructions of an operation in each of the named functions and in all
// that they call, each instruction once, however the functions call each other.
//
// It is computed from Self and the numbers of calls: a call to a function is taken to cost the
// same wherever it comes from (Graham, Kessler & McKusick 1982, "gprof: a call graph execution
// profiler", section 4; where allocations of two callers differ in size, each gets the average).
// An instruction of h belongs to f with the probability that one comes across f on the way up from
// h, at each function to a caller by its share of the calls. gprof gives up at cycles of calls;
// this is defined for them, too, as the probability that a Markov chain ever visits f.
func (c *Costs) Inclusive(names []string) map[string]float64 {
	g := c.graph()
	result := make(map[string]float64, len(names))
	for _, name := range names {
		result[name] = g.inclusive(name)
	}
	return result
}

// graph is Costs with numbers instead of names.
type graph struct {
	index   map[string]int
	self    []float64
	callers [][]step
}

type step struct {
	to    int
	share float64
}

func (c *Costs) graph() *graph {
	g := &graph{index: map[string]int{}}
	add := func(name string) int {
		i, known := g.index[name]
		if !known {
			i = len(g.self)
			g.index[name] = i
			g.self, g.callers = append(g.self, c.Self[name]), append(g.callers, nil)
		}
		return i
	}
	for _, name := range slices.Sorted(maps.Keys(c.Self)) {
		add(name)
	}
	for _, name := range slices.Sorted(maps.Keys(c.callers)) {
		at := add(name)
		for _, from := range c.callers[name] {
			to := add(from.name)
			g.callers[at] = append(g.callers[at], step{to, from.share})
		}
	}
	return g
}

// inclusive solves x[h] = sum of share * x[caller of h], with x[f] = 1, by Gauss and Seidel, and
// adds up self * x. From 0 on the values only rise, so a cycle without a way to f stays at 0.
func (g *graph) inclusive(name string) float64 {
	at, known := g.index[name]
	if !known {
		return 0
	}
	x := make([]float64, len(g.self))
	x[at] = 1
	for range mostSweeps {
		moved := 0.0
		for h, steps := range g.callers {
			if h == at || len(steps) == 0 {
				continue
			}
			v := 0.0
			for _, s := range steps {
				v += s.share * x[s.to]
			}
			moved = max(moved, v-x[h])
			x[h] = v
		}
		if moved < exactness {
			break
		}
	}
	sum := 0.0
	for h, v := range x {
		sum += v * g.self[h]
	}
	return sum
}

// keys yields the keys of both maps, each once.
func keys[V any](a, b map[string]V) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range a {
			if !yield(k) {
				return
			}
		}
		for k := range b {
			if _, seen := a[k]; !seen && !yield(k) {
				return
			}
		}
	}
}
