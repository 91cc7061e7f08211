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
		s.plots = append(s.plots, p)
	}
	s.index()
	return s
}

// index sorts the plots by rent once, so that a search need not.
func (s *store) index() {
	slices.SortFunc(s.plots, cheaper)
	for i, p := range s.plots {
		s.byID[p.ID] = i
	}
}

func cheaper(a, b plot) int {
	if c := cmp.Compare(a.Rent, b.Rent); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}

// A filter says which plots a member looks for.
type filter struct {
	district string
	maxRent  int
}

func (f filter) matches(p *plot) bool {
	return p.District == f.district && p.Rent <= f.maxRent
}

// find returns the plots that the filter matches, the cheapest first.
func (s *store) find(f filter) []plot {
	var found []plot
	for i := range s.plots {
		if f.matches(&s.plots[i]) {
			found = append(found, s.plots[i])
		}
	}
	return found
}

func (s *store) get(id int) (plot, bool) {
	i, ok := s.byID[id]
	if !ok {
		return plot{}, false
	}
	return s.plots[i], true
}
