package facts

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
)

// Account is what one function of the user's spends on something that a rule looks for: its own time, that of what it
// calls, and the collector's work for what is allocated.
type Account struct {
	// Place is the user's line that costs most; Via the library's function that it calls for it.
	Place code.Place
	Via   string
	// Cost and CPU are parts of the program's CPU time, 0 to 1; Cost has the collector's work in it. Ticks are samples.
	Cost, CPU float64
	Ticks     int64
	// Bytes and Objects are allocated per request of the load; see PerRequest.
	Bytes, Objects float64
	// Routes are as RoutesOf has them: nil where all have it, or where that is not known.
	Routes []Route
	// Stacks are the places in View.stacks.
	Stacks []int
	// What is the function that match found, by cost; drawn is about how many samples the allocations rest on.
	What  string
	drawn float64
	// Direct says whether most of it is called by the user's line itself.
	Direct bool

	lines       map[int64]float64
	vias, whats map[string]float64
	directly    float64
}

// PerObject is how many bytes an allocation of the account has on average; 0 for none.
func (u *Account) PerObject() float64 {
	if u.Objects == 0 {
		return 0
	}
	return u.Bytes / u.Objects
}

// PerRequest is a number per request of the load as one per request of the account's routes, as far as they are known.
func (u *Account) PerRequest(number float64) float64 {
	part := 0.0
	for _, r := range u.Routes {
		part += r.Requests
	}
	if part == 0 {
		return number
	}
	return number / part
}

// Whose says which requests those of PerRequest are, as what follows "per request".
func (u *Account) Whose() string {
	switch len(u.Routes) {
	case 0:
		return ""
	case 1:
		return " of " + u.Routes[0].Name
	}
	return " of its routes"
}

// Accounts groups the stacks that match takes by the user's function that causes them. match returns the number of the
// frame that it looks for, -1 for none; the user's frame is the nearest one outwards from there, see
// cause. Stacks without one are left out. The dearest come first.
func (v *View) Accounts(match func(*Stack) int) []*Account {
	all := map[string]*Account{}
	for i := range v.Stacks {
		s := &v.Stacks[i]
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
			u = &Account{Place: place, lines: map[int64]float64{}, vias: map[string]float64{}, whats: map[string]float64{}}
			all[place.Function] = u
		}
		u.add(s, i, place, own, at)
	}
	var sorted []*Account
	for _, u := range all {
		u.Place.Line, u.Via, u.What = Heaviest(u.lines), Heaviest(u.vias), Heaviest(u.whats)
		if called := notOfRuntime(u.vias); len(called) > 0 {
			u.Via = Heaviest(called)
		}
		u.Direct = 2*u.directly > u.Cost
		sorted = append(sorted, u)
	}
	slices.SortFunc(sorted, func(a, b *Account) int {
		if c := CompareShares(a.Cost, b.Cost); c != 0 {
			return c
		}
		return code.ComparePlaces(a.Place, b.Place)
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

func (u *Account) add(s *Stack, i int, place code.Place, own, at int) {
	u.Cost += s.Cost
	u.CPU += s.CPU
	u.Ticks += s.ticks
	u.Bytes += s.Bytes
	u.Objects += s.Objects
	u.Stacks = append(u.Stacks, i)
	u.lines[place.Line] += s.Cost
	u.whats[s.Frames[at].Function] += s.Cost
	u.drawn += s.drawn
	if own <= at+1 {
		u.directly += s.Cost
	}
	switch {
	case own == len(s.Frames):
		u.vias[s.Frames[at].Function] += s.Cost
	case own > 0:
		u.vias[s.Frames[own-1].Function] += s.Cost
	}
}

// cause is the user's line for frame number i of a stack; own is its frame, len(frames) where none is on the stack, and
// the line is the one that started the goroutine, or that names the library.
func (v *View) cause(s *Stack, i int) (p code.Place, own int, ok bool) {
	if own = s.Own(i); own < len(s.Frames) && !s.HandsOn(own) && !s.handedOn(i, own) {
		return s.Frames[own].Place(), own, true
	}
	own = len(s.Frames)
	if p, ok = v.startedBy(s.root()); !ok {
		p, ok = v.referredTo(s, i)
	}
	return p, own, ok
}

// HandsOn says whether a frame of the user's gives the whole request to a handler of a library: middleware, whose line
// is the reason for nothing that the handler does.
func (s *Stack) HandsOn(own int) bool {
	return own > 0 && handsRequest(&s.Frames[own-1])
}

// handedOn says whether between frame number i and the user's frame own a library hands the request to another handler:
// middleware of a library under the user's.
func (s *Stack) handedOn(i, own int) bool {
	for j := i + 1; j < own; j++ {
		if handsRequest(&s.Frames[j]) {
			return true
		}
	}
	return false
}

// handsRequest takes the functions by which a request is handed to a handler.
func handsRequest(f *Frame) bool {
	return f.Origin != prof.Runtime && strings.HasSuffix(f.Name, "ServeHTTP")
}

// startedBy is the user's line that made a library start the goroutines of this root function.
func (v *View) startedBy(root string) (code.Place, bool) {
	if v.Waits == nil {
		return code.Place{}, false
	}
	for _, o := range v.Waits.Origins {
		if o.Root == root {
			return code.Place{Function: o.Function, File: o.File, Line: int64(o.Line)}, true
		}
	}
	return code.Place{}, false
}

// AllBytes is what is allocated per request.
func (v *View) AllBytes() (sum float64) {
	for i := range v.Stacks {
		sum += v.Stacks[i].Bytes
	}
	return sum
}

// collected is the part of the cost that is the collector's work for what is allocated.
func (u *Account) collected() float64 { return u.Cost - u.CPU }

// Counted says whether enough samples of allocations are known to say how many there are.
func (u *Account) Counted() bool { return u.drawn >= fewestDrawn }

// Plus adds another account to this one: both are of one cause.
func (u *Account) Plus(o *Account) {
	u.Cost, u.CPU, u.Ticks = u.Cost+o.Cost, u.CPU+o.CPU, u.Ticks+o.Ticks
	u.Bytes, u.Objects, u.drawn = u.Bytes+o.Bytes, u.Objects+o.Objects, u.drawn+o.drawn
	u.Stacks = append(u.Stacks, o.Stacks...)
}

// fewestTicks is how many samples of the CPU profile a finding needs that rests on CPU time alone: a site that is
// never hot has three by chance in a profile of 150.
const fewestTicks = 5

// Seen is the part of an account that rests on enough samples: of CPU time on those of the CPU profile, of the
// collector's work on those of the allocations and of the collector.
func (v *View) Seen(u *Account) (share float64) {
	if u.Ticks >= fewestTicks {
		share += u.CPU
	}
	if u.Counted() && v.Collector*float64(v.Samples) >= fewestTicks {
		share += u.collected()
	}
	return share
}

// Called names what an account is of: the function that was looked for, and what the user's line calls for it.
func (u *Account) Called() string {
	if u.What == u.Via || u.Via == "" {
		return Short(u.What)
	}
	return Short(u.What) + ", by way of " + Short(u.Via) + ","
}

// ShareOf is what stacks cost together, by their places in Stacks.
func (v *View) ShareOf(stacks []int) (share float64) {
	for _, i := range stacks {
		share += v.Stacks[i].Cost
	}
	return share
}

// CompareShares puts the larger of two shares first.
func CompareShares(a, b float64) int { return cmp.Compare(b, a) }

// Heaviest is the key of the largest value, the smallest of equal ones.
func Heaviest[K int64 | string](values map[K]float64) (best K) {
	first := true
	for k, v := range values {
		if first || v > values[best] || v == values[best] && k < best {
			best, first = k, false
		}
	}
	return best
}
