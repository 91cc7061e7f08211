// Command fixed evaluates formulas over a sheet of cells.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	"runtime/debug"

	"github.com/gohone/hone/internal/insight/advice/testdata/gc-thrash/fixed/formula"
)

type cell struct {
	name  string
	value float64
	next  *cell
}

// sheet is cells by name, each with the one that follows.
type sheet struct {
	cells map[string]*cell
	first *cell
}

func newSheet(n int) *sheet {
	s := &sheet{cells: make(map[string]*cell, n)}
	for i := range n {
		c := &cell{name: fmt.Sprintf("c%d", i), value: float64(i%100) + 0.5, next: s.first}
		s.cells[c.name] = c
		s.first = c
	}
	return s
}

func (s *sheet) value(name string) (float64, bool) {
	c, ok := s.cells[name]
	if !ok {
		return 0, false
	}
	return c.value, true
}

func (s *sheet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, err := formula.Parse(r.URL.Query().Get("f"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	v, err := f.Value(s.value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	fmt.Fprintf(w, "%s = %g\n", formula.Simple(f), v)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	debug.SetGCPercent(1600)
	debug.SetMemoryLimit(256 << 20)
	http.Handle("GET /value", newSheet(20000))
	log.Fatal(http.ListenAndServe(*addr, nil))
}
