package facts

import (
	"testing"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/prof"
)

// A cost belongs to the routes whose handlers stand on its stacks, as far as most of it is known; to none where all
// routes have it.
func TestRoutesOfACost(t *testing.T) {
	own := func(f string) Frame { return Frame{Function: f, Origin: prof.Own} }
	encode := Frame{Function: "encoding/json.Marshal", Origin: prof.Standard}
	v := &View{Waits: &walltime.Digest{Routes: []walltime.Route{
		{Name: "GET /search", Requests: 20, Functions: []string{"main.part", "main.search"}},
		{Name: "GET /list", Requests: 70, Functions: []string{"main.list"}},
		{Name: "/shop.Cart/Add", Requests: 10},
	}}}
	v.Stacks = []Stack{
		{Cost: 0.30, Frames: []Frame{encode, own("main.write"), own("main.search"), own("main.logged")}},
		{Cost: 0.20, Frames: []Frame{encode, own("main.write"), own("main.list"), own("main.logged")}},
		{Cost: 0.10, Frames: []Frame{own("main.(*cart).Add"), own("example.com/pb._Cart_Add_Handler")}},
		{Cost: 0.05, Frames: []Frame{own("main.logged")}},
		{Cost: 0.90, Frames: []Frame{own("main.logged")}},
	}
	for name, c := range map[string]struct {
		stacks []int
		want   []Route
	}{
		"one":                    {[]int{0}, []Route{{"GET /search", 0.2, 1}}},
		"the one of a gRPC stub": {[]int{2}, []Route{{"/shop.Cart/Add", 0.1, 1}}},
		"two, and some is open":  {[]int{0, 1, 3}, []Route{{"GET /search", 0.2, 0.6}, {"GET /list", 0.7, 0.4}}},
		"all":                    {[]int{0, 1, 2}, nil},
		"too much is open":       {[]int{0, 4}, nil},
		"none":                   {nil, nil},
	} {
		got := v.RoutesOf(c.stacks)
		if len(got) != len(c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
			continue
		}
		for i, r := range got {
			if r.Name != c.want[i].Name || CompareShares(r.Requests, c.want[i].Requests) != 0 || r.Cost-c.want[i].Cost > 1e-9 {
				t.Errorf("%s: %+v, want %+v", name, got, c.want)
			}
		}
	}
	if got := v.RouteNamed("of GET /list without waits for a processor"); len(got) != 1 || got[0].Name != "GET /list" {
		t.Errorf("%+v", got)
	}
	if got := v.RouteNamed("of GET /listing"); got != nil {
		t.Errorf("%+v", got)
	}
	v.Waits.Routes = v.Waits.Routes[:1]
	if got := v.RoutesOf([]int{0}); got != nil {
		t.Errorf("of one route: %+v", got)
	}
}
