package main

import (
	"html/template"
	"io"
	"strings"

	"github.com/labstack/echo/v4"
)

const source = `{{define "menu"}}<nav><ul>
{{- range .}}
<li class="{{.Season}}"><a href="/goods/{{.Slug}}" title="{{.Season}}">{{.Title}}</a></li>
{{- end}}
</ul></nav>{{end}}
{{- define "goods"}}<!doctype html>
<title>{{.Here.Title}}</title>
{{.Menu}}
<table>
{{- range .Here.Goods}}
<tr><td>{{.Name}}</td><td>{{.Farm}}</td><td>{{price .Cents}}</td><td>{{if .Fresh}}fresh{{end}}</td></tr>
{{- end}}
</table>
{{end}}`

type pages struct {
	menu      template.HTML
	templates *template.Template
}

// A page is what the templates see.
type page struct {
	Menu template.HTML
	Here any
}

func newPages(s *shop) *pages {
	p := &pages{templates: template.Must(template.New("").Funcs(template.FuncMap{"price": price}).Parse(source))}
	var menu strings.Builder
	if err := p.templates.ExecuteTemplate(&menu, "menu", s.groups); err != nil {
		panic(err)
	}
	p.menu = template.HTML(menu.String())
	return p
}

// Render is what echo calls.
func (p *pages) Render(w io.Writer, name string, data any, _ echo.Context) error {
	return p.templates.ExecuteTemplate(w, name, page{p.menu, data})
}
