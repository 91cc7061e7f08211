package services

import (
	"encoding/xml"
	"html/template"
	"log"
	"net/http"
	"regexp"
	"strings"
)

// pages renders articles with templates.
var pages = Service{
	Name: "pages", format: slogged, handler: newPages,
	Endpoints: []Endpoint{
		{Name: "front", Method: "GET", Request: "/"},
		{Name: "article", Method: "GET", Request: "/article/{key}", Keys: articles},
		{Name: "tag", Method: "GET", Request: "/tag/{key}?show={size}", Keys: 30, Least: 3, Most: 40},
		{Name: "feed", Method: "GET", Request: "/feed.xml"},
		{Name: "plain", Method: "GET", Request: "/plain/{key}", Keys: articles},
	},
}

const articles = 400

type article struct {
	Title string
	Tag   int
	Parts []string
}

var (
	articlePage = template.Must(template.New("").Parse(`<html><head><title>{{.Title}}</title></head><body><h1>{{.Title}}</h1>{{range .Parts}}<p>{{.}}</p>{{end}}<a href="/tag/{{.Tag}}">more</a></body></html>`))
	listPage    = template.Must(template.New("").Parse(`<html><body><ul>{{range .}}<li class="t{{.Tag}}"><a href="/article/{{.Title}}">{{.Title}}</a>{{if .Parts}} <em>{{index .Parts 0}}</em>{{end}}</li>{{end}}</ul></body></html>`))
	link        = regexp.MustCompile(`\b(ba|cor|del)(\w+)`)
)

type magazine []article

func newPages() http.Handler {
	var m magazine
	for i := range articles {
		a := article{Title: word(i), Tag: i % 30}
		for p := range 5 + i%11 {
			a.Parts = append(a.Parts, text(i*20+p, 40, 800))
		}
		m = append(m, a)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { render(w, listPage, m[:25]) })
	mux.HandleFunc("GET /article/{key}", func(w http.ResponseWriter, r *http.Request) { render(w, articlePage, m[number(r, "key", articles)]) })
	mux.HandleFunc("GET /tag/{key}", m.tag)
	mux.HandleFunc("GET /feed.xml", m.feed)
	mux.HandleFunc("GET /plain/{key}", m.plain)
	return mux
}

func render(w http.ResponseWriter, t *template.Template, of any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := t.Execute(w, of); err != nil {
		log.Print("render: ", err)
	}
}

func (m magazine) tag(w http.ResponseWriter, r *http.Request) {
	tag, show := number(r, "key", 30), number(r, "show", 41)
	var found []article
	for _, a := range m {
		if a.Tag == tag && len(found) < show {
			found = append(found, article{Title: strings.ToTitle(a.Title), Tag: tag, Parts: a.Parts[:1]})
		}
	}
	render(w, listPage, found)
}

func (m magazine) feed(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/rss+xml")
	_ = xml.NewEncoder(w).Encode(m[:15]) // a client that is gone needs no answer
}

// plain is an article without marks, some of its words as links.
func (m magazine) plain(w http.ResponseWriter, r *http.Request) {
	a := m[number(r, "key", articles)]
	say(w, link.ReplaceAllString(strings.Join(a.Parts, "\n\n"), "[$1$2]"))
}
