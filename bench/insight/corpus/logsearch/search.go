package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"sync"
)

type searcher struct {
	mu    sync.RWMutex
	lines []string
}

func newSearcher(n int) *searcher {
	s := &searcher{}
	for i := range n {
		switch i % 4 {
		case 0:
			s.lines = append(s.lines, fmt.Sprintf("%06d error: read timeout after %d ms", i, i*3))
		case 1:
			s.lines = append(s.lines, fmt.Sprintf("%06d user-%d login from 10.0.0.%d", i, i%30, i%250))
		case 2:
			s.lines = append(s.lines, fmt.Sprintf("%06d disk sda%d at %d%%", i, i%4, i%100))
		default:
			s.lines = append(s.lines, fmt.Sprintf("%06d cron job %d done", i, i%9))
		}
	}
	return s
}

type match struct {
	Line int    `json:"line"`
	Text string `json:"text"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

const maxPattern = 200

func pattern(q string) (*regexp.Regexp, error) {
	if q == "" || len(q) > maxPattern {
		return nil, errors.New("q is a pattern of at most 200 characters")
	}
	return regexp.Compile("(?i)" + q)
}

func (s *searcher) find(re *regexp.Regexp, limit int) []match {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := []match{}
	for i, l := range s.lines {
		if loc := re.FindStringIndex(l); loc != nil {
			out = append(out, match{i, l, loc[0], loc[1]})
			if len(out) == limit {
				break
			}
		}
	}
	return out
}

func (s *searcher) search(w http.ResponseWriter, r *http.Request) {
	re, err := pattern(r.FormValue("q"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(s.find(re, 50))
}
