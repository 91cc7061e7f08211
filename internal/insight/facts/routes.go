package facts

import (
	"slices"
	"strings"

	"github.com/gohone/hone/prof"
)

// Route is what a target of the load has of something.
type Route struct {
	// Name is that of the target: "GET /search".
	Name string `json:"name"`
	// Requests is its part of the requests, Cost its part of what the routes were asked for; both 0 to 1.
	Requests float64 `json:"requests"`
	Cost     float64 `json:"cost"`
}

const (
	// leastKnown is the part of a cost whose routes have to be known, leastOfRoute what a route has to have of it to be
	// named: shares of a profile of some hundred samples move by as much.
	leastKnown   = 0.75
	leastOfRoute = 0.10
)

// RoutesOf says which routes spend what stacks cost, by their places in Stacks, those of most first. nil where the load
// has one route, where all of them do, and where that is not known.
func (v *View) RoutesOf(stacks []int) []Route {
	if v.Waits == nil || len(v.Waits.Routes) < 2 {
		return nil
	}
	on := make([]float64, len(v.Waits.Routes))
	known, whole := 0.0, 0.0
	for _, i := range stacks {
		s := &v.Stacks[i]
		whole += s.Cost
		if r := v.routeOf(s); r >= 0 {
			on[r] += s.Cost
			known += s.Cost
		}
	}
	if known <= 0 || known < leastKnown*whole {
		return nil
	}
	var all []Route
	for i, cost := range on {
		if cost >= leastOfRoute*known {
			all = append(all, v.route(i, cost/known))
		}
	}
	if len(all) == len(on) {
		return nil
	}
	slices.SortStableFunc(all, func(a, b Route) int { return CompareShares(a.Cost, b.Cost) })
	return all
}

// routeOf is the place of the route that a stack belongs to, by the outermost function that one route alone executes,
// or by the function of a gRPC stub; -1 where that is not known.
func (v *View) routeOf(s *Stack) int {
	for i := len(s.Frames) - 1; i >= 0; i-- {
		f := &s.Frames[i]
		if f.Origin == prof.Runtime || f.Origin == prof.Standard {
			continue
		}
		for r := range v.Waits.Routes {
			one := &v.Waits.Routes[r]
			if _, found := slices.BinarySearch(one.Functions, f.Function); found || stubOf(f.Function, one.Name) {
				return r
			}
		}
	}
	return -1
}

// stubOf says whether a function is the handler of a method that protoc-gen-go-grpc writes: _Greeter_SayHello_Handler
// of /helloworld.Greeter/SayHello.
func stubOf(function, route string) bool {
	service, method, ok := strings.Cut(route[strings.IndexByte(route, '/')+1:], "/")
	if !ok {
		return false
	}
	service = service[strings.LastIndexByte(service, '.')+1:]
	return service != "" && method != "" && strings.HasSuffix(function, "._"+service+"_"+method+"_Handler")
}

// RouteNamed is the route of requests as Latency.Requests names them; nil for all requests.
func (v *View) RouteNamed(requests string) []Route {
	if v.Waits == nil || requests == "" {
		return nil
	}
	for i := range v.Waits.Routes {
		if rest, ok := strings.CutPrefix(requests, "of "+v.Waits.Routes[i].Name); ok && (rest == "" || rest[0] == ' ') {
			return []Route{v.route(i, 1)}
		}
	}
	return nil
}

// route is number i of the load's, with a part of a cost.
func (v *View) route(i int, cost float64) Route {
	sum := 0
	for _, r := range v.Waits.Routes {
		sum += r.Requests
	}
	r := &v.Waits.Routes[i]
	return Route{Name: r.Name, Requests: float64(r.Requests) / float64(max(1, sum)), Cost: cost}
}
