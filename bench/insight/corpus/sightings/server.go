package main

import (
	"encoding/json"
	"net/http"
	"sort"
)

type server struct {
	observations *observations
}

func newServer(o *observations) *server { return &server{observations: o} }

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /cells/{cell}/birds", s.birds)
	return mux
}

type birdCount struct {
	Bird  string   `json:"bird"`
	Seen  int      `json:"seen"`
	First int      `json:"first"`
	Clubs []string `json:"clubs"`
}

func (s *server) birds(w http.ResponseWriter, r *http.Request) {
	seen, ok := s.observations.byCell[r.PathValue("cell")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	counts := map[string]*birdCount{}
	clubs := map[string]map[string]bool{}
	for _, o := range seen {
		c := counts[o.bird]
		if c == nil {
			c = &birdCount{Bird: o.bird, First: o.day}
			counts[o.bird] = c
			clubs[o.bird] = map[string]bool{}
		}
		c.Seen++
		c.First = min(c.First, o.day)
		clubs[o.bird][o.by.club] = true
	}
	list := make([]*birdCount, 0, len(counts))
	for bird, c := range counts {
		for club := range clubs[bird] {
			c.Clubs = append(c.Clubs, club)
		}
		sort.Strings(c.Clubs)
		list = append(list, c)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].Seen != list[j].Seen {
			return list[i].Seen > list[j].Seen
		}
		return list[i].Bird < list[j].Bird
	})
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(list)
}
