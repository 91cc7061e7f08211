package main

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

type searcher struct{ docs []*document }

type hit struct {
	ID      int    `json:"id"`
	Title   string `json:"title"`
	Count   int    `json:"count"`
	Snippet string `json:"snippet"`
}

const around = 40

func snippet(d *document, q string) string {
	text := d.text()
	i := strings.Index(text, q)
	if i < 0 {
		return ""
	}
	from, to := max(0, i-around), min(len(text), i+len(q)+around)
	for from > 0 && text[from-1] != ' ' {
		from--
	}
	return "..." + strings.TrimSpace(text[from:i]) + " [" + q + "] " + strings.TrimSpace(text[i+len(q):to]) + "..."
}

func count(d *document, q string) int {
	return strings.Count(d.text(), q)
}

func (s *searcher) search(q string) []hit {
	var hits []hit
	for _, d := range s.docs {
		if n := count(d, q); n > 0 {
			hits = append(hits, hit{ID: d.id, Title: d.title, Count: n, Snippet: snippet(d, q)})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID)) })
	return hits
}

func (s *searcher) serve(w http.ResponseWriter, r *http.Request) {
	q := r.FormValue("q")
	if len(q) < 2 || len(q) > 50 {
		http.Error(w, "q is a word", http.StatusBadRequest)
		return
	}
	hits := s.search(q)
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"total": len(hits), "hits": hits[:min(10, len(hits))]})
}

func (s *searcher) show(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || id < 0 || id >= len(s.docs) {
		http.NotFound(w, r)
		return
	}
	io.WriteString(w, s.docs[id].body)
}
