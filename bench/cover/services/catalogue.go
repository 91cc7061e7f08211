package services

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// catalogue is a shop's JSON API over items in memory.
var catalogue = Service{
	Name: "catalogue", format: timed, handler: newCatalogue,
	Endpoints: []Endpoint{
		{Name: "list", Method: "GET", Request: "/items?offset={key}&limit={size}", Keys: itemCount, Least: 5, Most: 100},
		{Name: "item", Method: "GET", Request: "/items/{key}", Keys: itemCount},
		{Name: "similar", Method: "GET", Request: "/items/{key}/similar", Keys: itemCount},
		{Name: "filter", Method: "GET", Request: "/filter?below={size}", Least: 100, Most: 50000},
		{Name: "export", Method: "GET", Request: "/export.csv?limit={size}", Least: 20, Most: 200},
	},
}

const itemCount = 2000

type item struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Cents int      `json:"cents"`
	Tags  []string `json:"tags"`
	About string   `json:"about"`
}

type shop []item

func newCatalogue() http.Handler {
	var s shop
	for i := range itemCount {
		s = append(s, item{i, word(i), (i*7919)%50000 + 99, strings.Fields(text(i, 6, 40)), text(i, 20, 500)})
	}
	m := http.NewServeMux()
	m.HandleFunc("GET /items", s.list)
	m.HandleFunc("GET /items/{key}", func(w http.ResponseWriter, r *http.Request) { answer(w, s[number(r, "key", itemCount)]) })
	m.HandleFunc("GET /items/{key}/similar", s.similar)
	m.HandleFunc("GET /filter", s.filter)
	m.HandleFunc("GET /export.csv", s.export)
	return m
}

func (s shop) list(w http.ResponseWriter, r *http.Request) {
	from := number(r, "offset", itemCount)
	answer(w, s[from:min(from+number(r, "limit", 101), itemCount)])
}

// similar has the items with most tags in common.
func (s shop) similar(w http.ResponseWriter, r *http.Request) {
	of := s[number(r, "key", itemCount)]
	type match struct {
		ID    int `json:"id"`
		Score int `json:"score"`
	}
	var all []match
	for _, other := range s {
		if n := of.common(other); n > 1 && other.ID != of.ID {
			all = append(all, match{other.ID, n})
		}
	}
	slices.SortFunc(all, func(a, b match) int { return cmp.Or(b.Score-a.Score, a.ID-b.ID) })
	answer(w, all[:min(10, len(all))])
}

func (i item) common(other item) (n int) {
	for _, tag := range i.Tags {
		if slices.Contains(other.Tags, tag) {
			n++
		}
	}
	return n
}

// filter counts items below a price by their tags.
func (s shop) filter(w http.ResponseWriter, r *http.Request) {
	below, tags := number(r, "below", 60000), map[string]int{}
	for _, i := range s {
		if i.Cents < below {
			for _, tag := range i.Tags {
				tags[tag]++
			}
		}
	}
	answer(w, tags)
}

func (s shop) export(w http.ResponseWriter, r *http.Request) {
	var b strings.Builder
	for _, i := range s[:number(r, "limit", 201)] {
		b.WriteString(strings.Join([]string{word(i.ID), `"` + strings.ReplaceAll(i.About, `"`, `""`) + `"`, strings.ToUpper(strings.Join(i.Tags, "|"))}, ",") + "\n")
	}
	say(w, b.String())
}
