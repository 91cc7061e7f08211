package main

import (
	"encoding/json"
	"math/rand/v2"
	"sort"

	"github.com/valyala/fasthttp"
)

type harvest struct {
	grape  string
	slope  string
	year   int
	kilos  float64
	degree float64
}

type harvests struct {
	all []harvest
}

var grapes = []string{"riesling", "silvaner", "pinot", "kerner", "dornfelder"}

func load(n int) []harvest {
	rnd := rand.New(rand.NewPCG(41, 1))
	all := make([]harvest, n)
	for i := range all {
		all[i] = harvest{
			grape: grapes[rnd.IntN(len(grapes))], slope: []string{"south", "west", "terrace"}[rnd.IntN(3)],
			year: 2000 + rnd.IntN(25), kilos: 200 + float64(rnd.IntN(9000))/4, degree: 70 + float64(rnd.IntN(400))/10,
		}
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

func sum(all []harvest, from, to int, slope string) []*summary {
	sums := make(map[string]*summary)
	kilos := make(map[string][]float64)
	for i := range all {
		x := &all[i]
		if x.year < from || x.year > to || slope != "" && x.slope != slope {
			continue
		}
		s := sums[x.grape]
		if s == nil {
			s = &summary{Grape: x.grape}
			sums[x.grape] = s
		}
		s.Count++
		s.Kilos += x.kilos
		s.Degree += x.degree
		kilos[x.grape] = append(kilos[x.grape], x.kilos)
	}
	list := make([]*summary, 0, len(sums))
	for grape, s := range sums {
		s.Degree /= float64(s.Count)
		k := kilos[grape]
		sort.Float64s(k)
		s.Median = k[len(k)/2]
		list = append(list, s)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Grape < list[j].Grape })
	return list
}

func (h *harvests) handle(ctx *fasthttp.RequestCtx) {
	if string(ctx.Path()) != "/summary" {
		ctx.Error("no such page", fasthttp.StatusNotFound)
		return
	}
	args := ctx.QueryArgs()
	list := sum(h.all, args.GetUintOrZero("from"), args.GetUintOrZero("to"), string(args.Peek("slope")))
	body, err := json.Marshal(list)
	if err != nil {
		ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
		return
	}
	ctx.SetContentType("application/json")
	ctx.SetBody(body)
}
