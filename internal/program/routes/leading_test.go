package routes

import (
	"slices"
	"testing"
)

// A path leads to what its handler calls: a closure, a method value, a type that serves HTTP, or through others. What
// only registers it, and functions that the source does not declare, do not count.
func TestPathsThatLeadToAFunction(t *testing.T) {
	found, _ := Parse("main.go", []byte(`package main
func main() {
	http.HandleFunc("/closure", func(w http.ResponseWriter, r *http.Request) { office.Export(w) })
	http.HandleFunc("/method", s.list)
	r.GET("/made", s.makes())
	http.Handle("/type", &page{})
	http.Handle("/wrapped", logged(http.HandlerFunc(show)))
	http.HandleFunc("/loop", round)
	http.HandleFunc("/other", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w) })
	http.HandleFunc("/delete-all", s.list)
}
func (s *server) list(w http.ResponseWriter, r *http.Request) { s.rows() }
func (s *server) rows() { Export(nil) }
func (s *server) makes() http.HandlerFunc { return s.list }
func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) { office.Export(w) }
func (p *page) Other() { price() }
func show(w http.ResponseWriter, r *http.Request) { price() }
func round() { round(); again() }
func again() { round() }
func Export(w io.Writer) {}
func price() {}
func alone() {}
`))
	for function, want := range map[string][]string{
		"office.Export":          {"/closure", "/method", "/made", "/type", "/delete-all"},
		"main.(*server).list":    {"/method", "/made", "/delete-all"},
		"main.price":             {"/wrapped"},
		"main.alone":             nil,
		"fmt.Fprintln":           nil,
		"main.(*page).ServeHTTP": {"/type"},
	} {
		if got := found.Leading([]string{function}); !slices.Equal(got, want) {
			t.Errorf("to %s lead %q, want %q", function, got, want)
		}
	}
	if got := Harmless(found.Leading([]string{"office.Export"})); slices.Contains(got, "/delete-all") {
		t.Errorf("%q are harmless", got)
	}
}
