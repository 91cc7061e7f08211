package walltime

import (
	"cmp"
	"math"
	"slices"
)

// Route is what part of the requests goes to one of the targets of a load.
type Route struct {
	Name string `json:"name"`
	// Requests are those of the trace.
	Requests int `json:"requests"`
	// Functions are functions of the user's that requests of this route alone execute, as far as the trace shows it:
	// its handler is among them.
	Functions []string `json:"functions,omitempty"`
}

// byChance is how likely it may be that a function which requests of all routes execute was seen with one route only.
// A program has some dozen functions that are seen often enough for a wrong one.
const byChance = 0.01

// routes say which functions which targets of the load execute; nil where the load has not several.
func (l *labeller) routes(all []seen, o Options) []Route {
	if len(o.Endpoints) < 2 {
		return nil
	}
	routes := make([]Route, len(o.Endpoints))
	for i, name := range o.Endpoints {
		routes[i].Name = name
	}
	seenBy := map[string][]int{}      // in how many requests of each route a function was seen
	whole := make([]int, len(routes)) // in how many of them any was
	for i := range all {
		s := &all[i]
		if s.Target < 0 || s.Target >= len(routes) {
			continue
		}
		routes[s.Target].Requests++
		if s.window.by == none {
			continue
		}
		executed := map[string]bool{}
		for _, one := range s.way() {
			l.executed(one.by, one.from, one.to, deepest, executed)
		}
		for f := range executed {
			if seenBy[f] == nil {
				seenBy[f] = make([]int, len(routes))
			}
			seenBy[f][s.Target]++
		}
		whole[s.Target] += min(1, len(executed))
	}
	for f, by := range seenBy {
		if of := onlyOf(by, whole); of >= 0 {
			routes[of].Functions = append(routes[of].Functions, f)
		}
	}
	for i := range routes {
		slices.Sort(routes[i].Functions)
	}
	return slices.DeleteFunc(routes, func(r Route) bool { return r.Requests == 0 })
}

// onlyOf is the route that alone executes a function, which was seen in so many requests of each (by); -1 where several
// do, or where that may be chance. whole are the requests of each in which any function was seen.
func onlyOf(by, whole []int) int {
	of, sum := -1, 0
	for _, n := range whole {
		sum += n
	}
	for i, n := range by {
		if n > 0 && of >= 0 {
			return -1
		}
		if n > 0 {
			of = i
		}
	}
	if of < 0 || math.Pow(float64(whole[of])/float64(sum), float64(by[of])) > byChance {
		return -1
	}
	return of
}

// executed adds the functions of the user's that stand on the stacks of a goroutine between two moments, and on those
// of goroutines that it started meanwhile, and so on, so many deep.
func (l *labeller) executed(by place, from, to int64, deep int, into map[string]bool) {
	g := &l.goroutines[by]
	for i := max(0, g.find(from)); i < len(g.spans) && g.spans[i].at < to; i++ {
		// a stretch of running stands where it ended, which is after the request where it began within it
		if g.end(i, l.to) <= to {
			l.addUsers(g.spans[i].stack, into)
		}
	}
	at := func(s sampled, t int64) int { return cmp.Compare(s.at, t) }
	for i, _ := slices.BinarySearchFunc(g.samples, from, at); i < len(g.samples) && g.samples[i].at < to; i++ {
		l.addUsers(g.samples[i].stack, into)
	}
	for _, one := range g.wakesIn(from, max(from, to)) {
		if deep > 0 && l.goroutines[one.who].born == one.at {
			l.executed(one.who, one.at, to, deep-1, into)
		}
	}
}

func (l *labeller) addUsers(id stackID, into map[string]bool) {
	for _, i := range l.stacks.all[id].frames {
		if f := l.stacks.frames[i].Function; l.isUser(f) {
			into[f] = true
		}
	}
}
