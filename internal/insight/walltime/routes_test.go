package walltime

import (
	"slices"
	"testing"
)

// Each route has the functions that its requests alone execute: its handler, what the handler starts, but not what all
// share, nor what was seen too seldom.
func TestFunctionsOfRoutes(t *testing.T) {
	h := &history{stacks: newStacks(), works: newWorks(), to: 1 << 40}
	in := func(functions ...string) stackID { return h.stacks.framesAt(1, functions...) }
	search, list := in("main.search", "main.logged", "net/http.(*conn).serve"), in("main.list", "main.logged")
	rare, part := in("main.rare", "main.list", "main.logged"), in("main.part")
	var all []seen
	const requests, each = 40, 100
	h.goroutines = make([]goroutine, 1, 1+requests)
	for i := range int64(requests) {
		stack, at, g := list, i*each, &h.goroutines[0]
		switch {
		case i%4 == 0:
			stack = search
			h.goroutines = append(h.goroutines, goroutine{born: at + 5, creator: 0,
				spans: []span{{at: at + 5, state: running, stack: part}, {at: at + 9, state: gone}}})
			g.wakes = append(g.wakes, wake{at + 5, place(len(h.goroutines) - 1)})
		case i == 1:
			stack = rare
		}
		g.spans = append(g.spans, span{at: at, state: blocked, stack: stack})
		g.samples = append(g.samples, sampled{at: at + 3, stack: stack})
		target := 0
		if i%4 != 0 {
			target = 1
		}
		all = append(all, seen{Request: Request{Target: target, Sent: at, Answered: at + each},
			window: window{by: 0, start: at, end: at + each}})
	}
	all = append(all, seen{Request: Request{Target: 1}, window: window{by: none}}) // its work was not found
	l := &labeller{walker: newWalker(h), calls: map[callKey]Call{}}
	routes := l.routes(all, Options{Endpoints: []string{"GET /search", "GET /list", "GET /never"}})
	want := []Route{{"GET /search", 10, []string{"main.part", "main.search"}}, {"GET /list", 31, []string{"main.list"}}}
	if !slices.EqualFunc(routes, want, func(a, b Route) bool {
		return a.Name == b.Name && a.Requests == b.Requests && slices.Equal(a.Functions, b.Functions)
	}) {
		t.Errorf("%+v, want %+v", routes, want)
	}
	if got := l.routes(all, Options{Endpoints: []string{"GET /search"}}); got != nil {
		t.Errorf("of one route: %+v", got)
	}
}

// What requests of all routes execute is hardly ever seen with one alone so often.
func TestOneRouteByChance(t *testing.T) {
	for name, c := range map[string]struct {
		by, whole []int
		want      int
	}{
		"half of the requests, six times":   {[]int{6, 0}, []int{100, 100}, -1},
		"half of the requests, seven times": {[]int{7, 0}, []int{100, 100}, 0},
		"a twentieth of them, twice":        {[]int{0, 2}, []int{95, 5}, 1},
		"nine tenths of them, ten times":    {[]int{10, 0}, []int{90, 10}, -1},
		"both":                              {[]int{90, 1}, []int{100, 100}, -1},
		"none":                              {[]int{0, 0}, []int{100, 100}, -1},
	} {
		if got := onlyOf(c.by, c.whole); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
