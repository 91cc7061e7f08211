package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
)

// A plot is a piece of garden that a member may rent.
type plot struct {
	ID       int
	District string
	Path     string
	Area     float64 // square metres
	Rent     int     // cents a year
	Water    bool
	Shed     bool
	Soil     string
	Since    string
	Tenant   string
}

type store struct {
	plots []plot
	byID  map[int]int
}

var (
	districts = []string{"north", "south", "riverside", "mill", "station"}
	soils     = []string{"clay", "loam", "sand"}
)

func newStore(n int) *store {
	rnd := rand.New(rand.NewPCG(7, 11))
	s := &store{byID: make(map[int]int, n)}
	for i := range n {
		p := plot{
			ID:       1000 + i,
			District: districts[rnd.IntN(len(districts))],
			Path:     fmt.Sprintf("Path %c", 'A'+rnd.IntN(26)),
			Area:     50 + float64(rnd.IntN(4000))/10,
			Rent:     3000 + i*17%9000,
			Water:    rnd.IntN(2) == 0,
			Shed:     rnd.IntN(3) == 0,
			Soil:     soils[rnd.IntN(len(soils))],
			Since:    fmt.Sprintf("20%02d-%02d-01", rnd.IntN(26), 1+rnd.IntN(12)),
			Tenant:   fmt.Sprintf("T-%05d", rnd.IntN(100000)),
		}
		s.byID[p.ID] = len(s.plots)
		s.plots = append(s.plots, p)
	}
	return s
}

// search returns the plots of a district up to a rent, the cheapest first.
func (s *store) search(district string, maxRent int) []plot {
	var found []plot
	for _, p := range s.plots {
		if p.District == district && p.Rent <= maxRent {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b plot) int {
		if c := cmp.Compare(a.Rent, b.Rent); c != 0 {
			return c
		}
		return cmp.Compare(a.ID, b.ID)
	})
	return found
}

func (s *store) get(id int) (plot, bool) {
	i, ok := s.byID[id]
	if !ok {
		return plot{}, false
	}
	return s.plots[i], true
}
