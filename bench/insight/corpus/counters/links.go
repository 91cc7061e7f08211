package main

import (
	"bytes"
	"encoding/json"
	"html/template"
	"net/http"
	"sync"

	"github.com/gorilla/mux"
)

type link struct {
	target string
	clicks int64
}

type shortener struct {
	mu    sync.Mutex
	links map[string]*link
	page  *template.Template
}

func newShortener(targets map[string]string) *shortener {
	s := &shortener{links: map[string]*link{}, page: template.Must(template.New("link").Parse(
		`<!doctype html><title>{{.Name}}</title><p>This link leads to <a href="{{.Target}}">{{.Target}}</a>.</p>`))}
	for name, t := range targets {
		s.links[name] = &link{target: t}
	}
	return s
}

func (s *shortener) click(name string) (target string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.links[name]
	if !ok {
		return "", false
	}
	l.clicks++
	return l.target, true
}

func (s *shortener) show(w http.ResponseWriter, r *http.Request) {
	name := mux.Vars(r)["name"]
	target, ok := s.click(name)
	if !ok {
		http.NotFound(w, r)
		return
	}
	var b bytes.Buffer
	if err := s.page.Execute(&b, struct{ Name, Target string }{name, target}); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(b.Bytes())
}

func (s *shortener) stats(w http.ResponseWriter, r *http.Request) {
	out := map[string]int64{}
	s.mu.Lock()
	for name, l := range s.links {
		out[name] = l.clicks
	}
	s.mu.Unlock()
	json.NewEncoder(w).Encode(out)
}
