package code

import (
	"go/ast"
	"testing"
)

const searches1 = `package p

import "slices"

type row struct{ cells []int; name string }

func dedupe(xs []int) (out []int) {
	for _, x := range xs {
		found := false
		for _, o := range out {
			if o == x { // scan
				found = true
			}
		}
		if !found {
			out = append(out, x) // append
		}
	}
	return out
}

func linear(rows []row, want int) (n int) {
	for _, r := range rows {
		for _, c := range r.cells {
			if c == want { // linear
				n++
			}
		}
	}
	return n
}

func contains(xs, ys []int) (n int) {
	for _, x := range xs {
		if slices.Contains(ys, x) { // contains
			n++
		}
	}
	return n
}

func index(names []string, name string) int {
	for i, n := range names {
		if n == name { // helper
			return i
		}
	}
	return -1
}

func matrix(a [][]float64, b []float64) (sum float64) {
	for i := range a {
		for j := range b {
			sum += a[i][j] * b[j] // product
		}
	}
	return sum
}
`

func TestSearchesInLoops(t *testing.T) {
	f, marks := parsed(t, searches1)
	for mark, want := range map[string]bool{"scan": true, "linear": false, "contains": true, "helper": false,
		"product": false} {
		if got := f.SearchInLoop(marks[mark]); (got != "") != want {
			t.Errorf("%s: %q", mark, got)
		}
	}
	for mark, want := range map[string]bool{"helper": true, "scan": false, "product": false} {
		if got := f.SearchLoop(marks[mark]); got != want {
			t.Errorf("%s: a function that searches: %v", mark, got)
		}
	}
}

const values = `package p

import (
	"bufio"
	"crypto/sha256"
	"sort"
	"sync"
)

type big struct{ a [40]int64; name string }
type small struct{ a int }

const banner = "welcome"
var motd = "hello"
var changed = "x"

func set() { changed = "y" }

type server struct {
	mu    sync.Mutex
	table map[string]int
	list  []int
	hits  int
}

func sum(all []big, few []small) (n int64) {
	for _, b := range all { // large
		n += b.a[0]
	}
	for _, s := range few { // little
		n += int64(s.a)
	}
	for i := range all { // index
		n += all[i].a[0]
	}
	return n
}

type page struct{ text, name string }

var pages = []page{{text: "a", name: "b"}}

func begin() { pages[0].text = "x" }

func open(s *shelf, name string) { s.name = name } // opened

type shelf struct{ name string }

func (p *page) hash(s *shelf, body string) [][32]byte {
	return [][32]byte{
		sha256.Sum256([]byte(p.text)), // field of a page
		sha256.Sum256([]byte(s.name)), // field that varies
		sha256.Sum256([]byte(banner)), // constant
		sha256.Sum256([]byte(motd)), // variable
		sha256.Sum256([]byte(changed)), // changed
		sha256.Sum256([]byte(body)), // parameter
	}
}

func (s *server) get(k string) int {
	s.mu.Lock() // reads
	defer s.mu.Unlock()
	return s.table[k]
}

func (s *server) count(k string) int {
	s.mu.Lock() // writes
	defer s.mu.Unlock()
	s.hits++
	return s.table[k]
}

func (s *server) after(k string) int {
	s.mu.Lock() // brief
	v := s.table[k]
	s.mu.Unlock()
	s.hits++
	return v
}

func (s *server) sorted(mine []int) {
	sort.Ints(s.list) // field
	sort.Ints(mine) // own
}

type logger struct{}

func (logger) Debug(args ...any) {}
func (logger) Info(args ...any) {}
func dump(x any) string { return "" }

func logs(l logger, x big) {
	l.Debug(dump(x)) // debug
	l.Info(dump(x)) // info
	l.Debug("nothing") // plain
}
`

func TestWhatLinesDo(t *testing.T) {
	f, marks := parsed(t, values)
	for mark, want := range map[string]bool{"large": true, "little": false, "index": false} {
		if got := f.CopiedValue(marks[mark]); (got != "") != want {
			t.Errorf("%s: copies %q", mark, got)
		}
	}
	for mark, want := range map[string]bool{"constant": true, "variable": true, "changed": false, "parameter": false,
		"field of a page": true, "field that varies": false} {
		f.runs = map[*ast.FuncDecl]bool{f.Function(marks["opened"]): true}
		if got := f.ConstantHashed(marks[mark]); (got != "") != want {
			t.Errorf("%s: a constant: %q", mark, got)
		}
	}
	for mark, want := range map[string]bool{"reads": true, "writes": false, "brief": true} {
		if got := f.ReadsUnderLock(marks[mark]); got != want {
			t.Errorf("%s: only reads: %v", mark, got)
		}
	}
	for mark, want := range map[string]bool{"field": true, "own": false} {
		if got := f.SortsKept(marks[mark]); (got != "") != want {
			t.Errorf("%s: sorts %q", mark, got)
		}
	}
	for mark, want := range map[string]bool{"debug": true, "info": false, "plain": false} {
		if got := f.LogArgument(marks[mark]); got != want {
			t.Errorf("%s: an argument: %v", mark, got)
		}
	}
}
