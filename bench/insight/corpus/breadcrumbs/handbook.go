package main

import (
	"fmt"
	"html/template"
	"log"
	"net/http"
	"strconv"
	"strings"

	"github.com/gorilla/mux"
)

type page struct {
	id     int
	title  string
	parent *page
	body   []string
}

type handbook struct {
	pages []*page
	tmpl  *template.Template
}

func newHandbook(n int) *handbook {
	b := &handbook{tmpl: template.Must(template.New("page").Parse(
		`<!doctype html><title>{{.Title}}</title><nav>{{.Trail}}</nav>{{range .Body}}<p>{{.}}</p>{{end}}<p>{{.Words}} words</p>`))}
	for i := range n {
		p := &page{id: i, title: fmt.Sprintf("Chapter %d", i)}
		if i%3 == 0 && i > 0 {
			p.parent = b.pages[(i-1)%2] // a section of one of the first chapters
		}
		for k := range 12 {
			p.body = append(p.body, fmt.Sprintf("Paragraph %d of chapter %d explains a screw & its nut in <detail>.", k, i))
		}
		b.pages = append(b.pages, p)
	}
	return b
}

const maxDepth = 12

// trail is the titles of a page and its parents, the page last.
func (p *page) trail() string {
	s := p.title
	for q, n := p.parent, 0; q != nil && n < maxDepth; q, n = q.parent, n+1 {
		s = q.title + " > " + s
	}
	return s
}

func (b *handbook) show(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(mux.Vars(r)["id"])
	if err != nil || id >= len(b.pages) {
		http.NotFound(w, r)
		return
	}
	p := b.pages[id]
	words := 0
	for _, line := range p.body {
		for range strings.FieldsSeq(line) {
			words++
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := b.tmpl.Execute(w, map[string]any{"Title": p.title, "Trail": p.trail(), "Body": p.body, "Words": words}); err != nil {
		log.Print(err)
	}
}
