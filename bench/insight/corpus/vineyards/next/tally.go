package main

import (
	"math/rand/v2"
	"sort"
)

type harvest struct {
	grape  string
	slope  string
	year   int
	kilos  float64
	degree float64
}

var grapes = []string{"riesling", "silvaner", "pinot", "kerner", "dornfelder"}

func load(n int) []harvest {
	rnd := rand.New(rand.NewPCG(41, 1))
	all := make([]harvest, n)
	for i := range all {
		h := &all[i]
		h.grape = grapes[rnd.IntN(len(grapes))]
		h.slope = []string{"south", "west", "terrace"}[rnd.IntN(3)]
		h.year = 2000 + rnd.IntN(25)
		h.kilos = 200 + float64(rnd.IntN(9000))/4
		h.degree = 70 + float64(rnd.IntN(400))/10
	}
	return all
}

type summary struct {
	Grape  string  `json:"grape"`
	Kilos  float64 `json:"kilos"`
	Degree float64 `json:"degree"`
	Median float64 `json:"median"`
	Count  int     `json:"count"`
}

// summarize sums up the harvests that a query wants, by grape.
func summarize(all []harvest, q query) []*summary {
	byGrape := make(map[string]*summary)
	weights := make(map[string][]float64)
	for i := range all {
		h := &all[i]
		if h.year < q.from || h.year > q.to || q.slope != "" && h.slope != q.slope {
			continue
		}
		s := byGrape[h.grape]
		if s == nil {
			s = &summary{Grape: h.grape}
			byGrape[h.grape] = s
		}
		s.Count++
		s.Kilos += h.kilos
		s.Degree += h.degree
		weights[h.grape] = append(weights[h.grape], h.kilos)
	}
	list := make([]*summary, 0, len(byGrape))
	for grape, s := range byGrape {
		s.Degree /= float64(s.Count)
		s.Median = median(weights[grape])
		list = append(list, s)
	}
	sort.Slice(list, byName(list))
	return list
}

func median(x []float64) float64 {
	sort.Float64s(x)
	return x[len(x)/2]
}

func byName(list []*summary) func(i, j int) bool {
	return func(i, j int) bool { return list[i].Grape < list[j].Grape }
}
