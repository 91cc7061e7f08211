package advice

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"strings"
	"testing"
)

// sourceOf is a file that is a package by itself.
func sourceOf(name string, text []byte) *sourceFile {
	p := (&sourcePackage{fset: token.NewFileSet()}).with(&View{}, name, text)
	return &sourceFile{p, p.files[name]}
}

// parsed is a source file, and the lines of it that end in a comment with a mark.
func parsed(t *testing.T, text string) (*sourceFile, map[string]int) {
	t.Helper()
	f := sourceOf("test.go", []byte(text))
	if f.file == nil {
		t.Fatal("the test's source cannot be parsed")
	}
	marks := map[string]int{}
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("test.go", -1, len(text)), []byte(text), nil, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return f, marks
		}
		if tok == token.COMMENT {
			marks[strings.TrimSpace(strings.TrimPrefix(lit, "//"))] = set.Position(pos).Line
		}
	}
}

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
		if got := f.searchInLoop(marks[mark]); (got != "") != want {
			t.Errorf("%s: %q", mark, got)
		}
	}
	for mark, want := range map[string]bool{"helper": true, "scan": false, "product": false} {
		if got := f.searchLoop(marks[mark]); got != want {
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
		if got := f.copiedValue(marks[mark]); (got != "") != want {
			t.Errorf("%s: copies %q", mark, got)
		}
	}
	for mark, want := range map[string]bool{"constant": true, "variable": true, "changed": false, "parameter": false,
		"field of a page": true, "field that varies": false} {
		f.runs = map[*ast.FuncDecl]bool{f.function(marks["opened"]): true}
		if got := f.constantHashed(marks[mark]); (got != "") != want {
			t.Errorf("%s: a constant: %q", mark, got)
		}
	}
	for mark, want := range map[string]bool{"reads": true, "writes": false, "brief": true} {
		if got := f.readsUnderLock(marks[mark]); got != want {
			t.Errorf("%s: only reads: %v", mark, got)
		}
	}
	for mark, want := range map[string]bool{"field": true, "own": false} {
		if got := f.sortsKept(marks[mark]); (got != "") != want {
			t.Errorf("%s: sorts %q", mark, got)
		}
	}
	for mark, want := range map[string]bool{"debug": true, "info": false, "plain": false} {
		if got := f.logArgument(marks[mark]); got != want {
			t.Errorf("%s: an argument: %v", mark, got)
		}
	}
}

const allocating = `package p

type item struct{ next *item }

func ways(xs []int, m map[int]string, b []byte, s string) {
	xs = append(xs, 1) // append
	m[3] = "x" // map
	s = s + "!" // join
	s = string(b) // string
	b = []byte(s) // bytes
	b = make([]byte, 100) // make
	it := &item{} // object
	_ = make(map[string]int) // makemap
	_ = it
	for _, x := range xs { // nothing
		_ = x
	}
}
`

func TestWaysToAllocate(t *testing.T) {
	f, marks := parsed(t, allocating)
	for mark, want := range map[string]string{
		"append": wayAppend, "map": wayMap, "join": wayJoin, "string": wayString, "bytes": wayBytes, "make": wayMake,
		"object": wayObject, "makemap": wayMakeMap, "nothing": "",
	} {
		if got := strings.Join(f.allocations(marks[mark]), " "); got != want {
			t.Errorf("%s: %q, want %q", mark, got, want)
		}
	}
}

// A file that is not known answers no to everything.
func TestUnknownSource(t *testing.T) {
	f := (&View{}).source("gone.go")
	if f.inLoop(3) || f.searchInLoop(3) != "" || f.copiedValue(3) != "" || f.constantHashed(3) != "" ||
		f.readsUnderLock(3) || f.logArgument(3) || f.sortsKept(3) != "" || f.makesClosure(3) {
		t.Error("it says something of a file that it has not")
	}
	if line, instead := f.unflushed(3); line != 0 {
		t.Error(line, instead)
	}
}
