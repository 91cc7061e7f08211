package main

import (
	"io"
	"net/http"
	"strings"
)

type board struct {
	companies []*company
}

func newBoard(urls []string) *board {
	client := newClient()
	b := &board{}
	for _, u := range urls {
		b.companies = append(b.companies, &company{url: u, client: client})
	}
	return b
}

// stop shows the departures of all companies at a stop in the order of their times.
func (b *board) stop(w http.ResponseWriter, r *http.Request) {
	var all departures
	for _, c := range b.companies {
		lines, err := c.departures(r.Context(), r.PathValue("stop"))
		if err != nil {
			http.Error(w, "no departures are known", http.StatusBadGateway)
			return
		}
		all.merge(lines)
	}
	all.sort()
	io.WriteString(w, strings.Join(all.lines, "\n"))
}
