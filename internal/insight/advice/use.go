package advice

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/prof"
)

// use is what one function of the user's spends on something that a rule looks for.
type use struct {
	// place is the user's line that costs most; via the library's function that it calls for it.
	place Place
	via   string
	// cost, cpu are parts of the program's CPU time, 0 to 1; cost has the collector's work in it.
	cost, cpu float64
	ticks     int64
	// bytes and objects are per request.
	bytes, objects float64
	// stacks are the places in View.stacks.
	stacks []int
	// what is the function that match found, by cost; drawn is about how many samples the allocations rest on.
	what  string
	drawn float64
	// direct says whether most of it is called by the user's line itself.
	direct bool

	lines       map[int64]float64
	vias, whats map[string]float64
	directly    float64
}

// perObject is how many bytes an allocation of the use has on average; 0 for none.
func (u *use) perObject() float64 {
	if u.objects == 0 {
		return 0
	}
	return u.bytes / u.objects
}

// uses groups the stacks that match takes by the user's function that causes them. match returns the number of the
// frame that it looks for, -1 for none; the user's frame is the nearest one outwards from there, see
// cause. Stacks without one are left out. The dearest come first.
func (v *View) uses(match func(*stack) int) []*use {
	all := map[string]*use{}
	for i := range v.stacks {
		s := &v.stacks[i]
		at := match(s)
		if at < 0 {
			continue
		}
		place, own, ok := v.cause(s, at)
		if !ok {
			continue
		}
		u := all[place.Function]
		if u == nil {
			u = &use{place: place, lines: map[int64]float64{}, vias: map[string]float64{}, whats: map[string]float64{}}
			all[place.Function] = u
		}
		u.add(s, i, place, own, at)
	}
	var sorted []*use
	for _, u := range all {
		u.place.Line, u.via, u.what = heaviest(u.lines), heaviest(u.vias), heaviest(u.whats)
		if called := notOfRuntime(u.vias); len(called) > 0 {
			u.via = heaviest(called)
		}
		u.direct = 2*u.directly > u.cost
		sorted = append(sorted, u)
	}
	slices.SortFunc(sorted, func(a, b *use) int {
		if c := compareShares(a.cost, b.cost); c != 0 {
			return c
		}
		return comparePlaces(a.place, b.place)
	})
	return sorted
}

// notOfRuntime leaves out what the compiler calls by itself: arguments are boxed by the runtime for the call that names
// the cost.
func notOfRuntime(vias map[string]float64) map[string]float64 {
	called := maps.Clone(vias)
	maps.DeleteFunc(called, func(name string, _ float64) bool {
		return strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/runtime/")
	})
	return called
}

func (u *use) add(s *stack, i int, place Place, own, at int) {
	u.cost += s.cost
	u.cpu += s.cpu
	u.ticks += s.ticks
	u.bytes += s.bytes
	u.objects += s.objects
	u.stacks = append(u.stacks, i)
	u.lines[place.Line] += s.cost
	u.whats[s.frames[at].function] += s.cost
	u.drawn += s.drawn
	if own <= at+1 {
		u.directly += s.cost
	}
	switch {
	case own == len(s.frames):
		u.vias[s.frames[at].function] += s.cost
	case own > 0:
		u.vias[s.frames[own-1].function] += s.cost
	}
}

// cause is the user's line for frame number i of a stack; own is its frame, len(frames) where none is on the stack, and
// the line is the one that started the goroutine, or that names the library.
func (v *View) cause(s *stack, i int) (p Place, own int, ok bool) {
	if own = s.own(i); own < len(s.frames) && !s.handsOn(own) && !s.handedOn(i, own) {
		return s.frames[own].place(), own, true
	}
	own = len(s.frames)
	if p, ok = v.startedBy(s.root()); !ok {
		p, ok = v.referredTo(s, i)
	}
	return p, own, ok
}

// handsOn says whether a frame of the user's gives the whole request to a handler of a library: middleware, whose line
// is the reason for nothing that the handler does.
func (s *stack) handsOn(own int) bool {
	return own > 0 && handsRequest(&s.frames[own-1])
}

// handedOn says whether between frame number i and the user's frame own a library hands the request to another handler:
// middleware of a library under the user's.
func (s *stack) handedOn(i, own int) bool {
	for j := i + 1; j < own; j++ {
		if handsRequest(&s.frames[j]) {
			return true
		}
	}
	return false
}

// handsRequest takes the functions by which a request is handed to a handler.
func handsRequest(f *frame) bool {
	return f.origin != prof.Runtime && strings.HasSuffix(f.name, "ServeHTTP")
}

// startedBy is the user's line that made a library start the goroutines of this root function.
func (v *View) startedBy(root string) (Place, bool) {
	if v.Waits == nil {
		return Place{}, false
	}
	for _, o := range v.Waits.Origins {
		if o.Root == root {
			return Place{Function: o.Function, File: o.File, Line: int64(o.Line)}, true
		}
	}
	return Place{}, false
}

// evidence are the rows that a use gives: its CPU time, what it allocates, and its heaviest stack.
func (v *View) evidence(u *use) []Evidence {
	s, best := &v.stacks[u.stacks[0]], -1.0
	for _, i := range u.stacks {
		one := &v.stacks[i]
		worth := one.cost
		if own := one.own(0); own < len(one.frames) && one.frames[own].line == u.place.Line {
			worth++ // a stack of the line that is named goes before all others
		}
		if worth > best {
			s, best = one, worth
		}
	}
	shown := s.text(s.own(0), 0)
	if len(shown) == 0 {
		shown = s.text(len(s.frames)-1, 0)
	}
	rows := []Evidence{{Source: "cpu", Text: fmt.Sprintf("%s of the CPU time (%d samples)", percent(u.cpu), u.ticks),
		Stack: shown}}
	if blamed := u.cost - u.cpu; blamed >= 0.001 {
		rows = append(rows, Evidence{Source: "blame",
			Text: fmt.Sprintf("%s of the CPU time is the collector's work for what it allocates", percent(blamed))})
	}
	if u.drawn >= fewestDrawn {
		rows = append(rows, Evidence{Source: "allocs",
			Text: fmt.Sprintf("%s allocations and %s per request, %s of all bytes",
				digits(u.objects), bytesText(u.bytes), percent(u.bytes/max(v.allBytes(), 1)))})
	}
	return rows
}

func (v *View) allBytes() (sum float64) {
	for i := range v.stacks {
		sum += v.stacks[i].bytes
	}
	return sum
}

// calls matches stacks on which a library's function is called that names takes: the outermost of them.
func calls(names func(*frame) bool) func(*stack) int {
	return func(s *stack) int {
		at := s.find(names)
		if at < 0 {
			return -1
		}
		return s.outermost(names, s.own(at))
	}
}

// oneOf takes the frames of these functions.
func oneOf(functions ...string) func(*frame) bool {
	return func(f *frame) bool { return f.origin != prof.Own && f.is(functions...) }
}
