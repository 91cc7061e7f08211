package main

import (
	"fmt"
	"html/template"
	"io"

	"github.com/labstack/echo/v4"
)

const source = `{{define "goods"}}<!doctype html>
<title>{{.Here.Title}}</title>
<nav><ul>
{{- range .Groups}}
<li class="{{.Season}}"><a href="/goods/{{.Slug}}" title="{{.Season}}">{{.Title}}</a></li>
{{- end}}
</ul></nav>
<table>
{{- range .Here.Goods}}
<tr><td>{{.Name}}</td><td>{{.Farm}}</td><td>{{price .Cents}}</td><td>{{if .Fresh}}fresh{{end}}</td></tr>
{{- end}}
</table>
{{end}}`

type pages struct {
	shop      *shop
	templates *template.Template
}

func newPages(s *shop) *pages {
	price := func(cents int) string {
		if cents >= 100000 {
			return fmt.Sprintf("%d,%03d.%02d €", cents/100000, cents/100%1000, cents%100)
		}
		return fmt.Sprintf("%d.%02d €", cents/100, cents%100)
	}
	t := template.Must(template.New("").Funcs(template.FuncMap{"price": price}).Parse(source))
	return &pages{shop: s, templates: t}
}

// Render is what echo calls.
func (p *pages) Render(w io.Writer, name string, data any, _ echo.Context) error {
	return p.templates.ExecuteTemplate(w, name, struct {
		Groups []group
		Here   any
	}{p.shop.groups, data})
}
