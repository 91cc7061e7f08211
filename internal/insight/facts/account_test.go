package facts

import (
	"math"
	"testing"
)

// What is allocated on one route is said per request of that route; where all routes have it, or none is known, per
// request of the load.
func TestAllocationsArePerRequestOfTheirRoutes(t *testing.T) {
	search := Route{Name: "GET /search", Requests: 0.2, Cost: 0.7}
	list := Route{Name: "GET /list", Requests: 0.3, Cost: 0.3}
	for whose, c := range map[string]struct {
		routes []Route
		want   float64
	}{
		"":                {nil, 6},
		" of GET /search": {[]Route{search}, 30},
		" of its routes":  {[]Route{search, list}, 12},
	} {
		u := &Account{Objects: 6, Routes: c.routes}
		if got := u.PerRequest(u.Objects); math.Abs(got-c.want) > 1e-9 || u.Whose() != whose {
			t.Errorf("%v%s, want %v%s", got, u.Whose(), c.want, whose)
		}
	}
}
