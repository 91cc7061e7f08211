package pprofweb

import (
	"bytes"
	_ "embed"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

//go:embed pages.html
var pagesText string

var pages = template.Must(template.New("pages").Parse(pagesText))

// write answers with one of the pages.
func write(w http.ResponseWriter, status int, name string, content any) {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, name, content); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes()) // who went away needs no answer
}

// link is a name with where it leads.
type link struct{ Name, Path string }

// views are pprof's pages in the order of its menu.
var views = []link{
	{"Flame graph", "flamegraph"}, {"Top", "top"}, {"Graph", "graph"}, {"Peek", "peek"}, {"Source", "source"},
}

// menu is the head of a page of ours below a profile's path. Links keep what pprof's pages
// were asked for, so that one leads from any page to any.
type menu struct {
	Name     string
	Home     string
	Views    []link
	Asks     bool
	Function string
	Kept     []parameter
}

type parameter struct{ Name, Value string }

func (m *mounted) menu(query url.Values) menu {
	out := menu{Name: m.name(), Home: m.home, Function: query.Get("f")}
	for _, v := range views {
		v.Path = m.path + v.Path
		if len(query) > 0 {
			v.Path += "?" + query.Encode()
		}
		out.Views = append(out.Views, v)
	}
	return out
}

// asks adds a field for the function, which keeps all else that the page was asked for.
func (m *menu) asks(query url.Values) {
	m.Asks = true
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if name != "f" {
			m.Kept = append(m.Kept, parameter{name, query.Get(name)})
		}
	}
}

// name is what the profile is called on pages: cpu, diff/cpu.
func (m *mounted) name() string { return strings.Trim(m.Path(), "/") }

// notice is a page that says why there is no other, and which command does it instead.
type notice struct {
	Title, Text, Command string
	Menu                 menu
}

func (m *mounted) notice(status int, title, text, command string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		write(w, status, "notice", notice{Title: title, Text: text, Command: command, Menu: m.menu(r.URL.Query())})
	})
}
