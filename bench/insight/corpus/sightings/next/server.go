package main

import (
	"encoding/json"
	"net/http"
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

func (s *server) birds(w http.ResponseWriter, r *http.Request) {
	seen, ok := s.observations.byCell[r.PathValue("cell")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(count(seen))
}
