package code

import (
	"go/ast"
	"testing"
)

const changing = `package p

import ("encoding/json"; "strings")

type reader struct{ rest string }

func fields(line, sep string, rows []string, lines [][]byte, r *reader) (n int) {
	rest := line
	for strings.Contains(rest, sep) {
		i := strings.Index(rest, sep) // assigned
		rest = rest[i+1:]
		n += strings.Count(line, sep) // outside
	}
	for r.rest != "" {
		n += strings.Count(r.rest, sep) // field
		r.rest = r.rest[1:]
	}
	var name string
	for _, one := range lines {
		json.Unmarshal(one, &name)
		n += strings.Count(name, sep) // filled
	}
	seen := []string{}
	for _, one := range rows {
		n += count(seen) // appended
		seen = append(seen, one)
	}
	at := 0
	for range rows {
		n += strings.Count(line, rows[at]) // counted
		at++
	}
	return n
}

func count([]string) int { return 0 }
`

// What a loop sets by =, by its address or by ++ is another value for each element; what it only appends to is the same.
func TestWhatALoopSetsVaries(t *testing.T) {
	f, marks := parsed(t, changing)
	for mark, want := range map[string]bool{"assigned": true, "outside": false, "field": true, "filled": true,
		"appended": false, "counted": true} {
		varies := false
		for _, c := range f.CallsAt(marks[mark]) {
			for _, arg := range c.Args {
				varies = varies || f.VariesInLoop(marks[mark], arg)
			}
		}
		if varies != want {
			t.Errorf("%s varies: %t, want %t", mark, varies, want)
		}
	}
}

const receivers = `package p

import "sort"

type book struct{ buys []int }

func newBook(n int) *book { return fill(n) }

func fill(n int) *book { return &book{buys: make([]int, n)} }

func (b *book) match() {
	sort.Ints(b.buys) // request
}

type store struct{ items []int }

func open() *store { return &store{} }

func (s *store) list() {
	sort.Ints(s.items) // kept
}

type page struct{ rows []int }

func (p *page) order() {
	sort.Ints(p.rows) // variable
}

func handle(s *store) {
	newBook(3).match() // handles
	s.list()
	var one page
	one.order()
}
`

// A field outlives the call where no function makes its owner that runs under load, or that such a function calls.
func TestFieldsOfWhatARequestMakes(t *testing.T) {
	f, marks := parsed(t, receivers)
	f.runs = map[*ast.FuncDecl]bool{f.Function(marks["handles"]): true}
	for mark, want := range map[string]bool{"request": false, "variable": false, "kept": true} {
		if got := f.SortsKept(marks[mark]); (got != "") != want {
			t.Errorf("%s: sorts %q, which outlives the call", mark, got)
		}
	}
}

const calledInLoops = `package p

func get(id int) int { return ask(id) } // each

func ask(id int) int { return id }

func all(ids []int) (n int) {
	for _, id := range ids {
		n += get(id) // loop
	}
	return n
}

func other(id int) int { return id } // elsewhere

func mixed(ids []int) (n int) {
	for _, id := range ids {
		n += other(id)
	}
	return n + other(1)
}

func apart(id int) { _ = id } // goroutine

type page struct {
	ids  []int
	next string
}

func read(cursor string) (page, error) { return page{}, nil } // paged

func pages() (n int) {
	for cursor := "start"; cursor != ""; {
		p, _ := read(cursor)
		n += len(p.ids)
		cursor = p.next
	}
	return n
}

func word(text string) int { return len(text) } // words

func words(text string) (n int) {
	for text != "" {
		one := text[:1]
		n += word(one) // taken
		text = text[1:]
	}
	return n
}

func together(ids []int) {
	for _, id := range ids {
		go func() { apart(id) }()
	}
}

type shop struct{}

func (s *shop) price(id int) int { return id } // method

func (s *shop) total(ids []int) (n int) {
	for i := 0; i < len(ids); i++ {
		n += s.price(ids[i]) // sum
	}
	return n
}
`

// A function is executed for each element where all of its calls are in loops over data, one after the other.
func TestCalledForEach(t *testing.T) {
	f, marks := parsed(t, calledInLoops)
	for mark, want := range map[string]struct{ loop, by string }{
		"each": {"loop", "m/p.all"}, "method": {"sum", "m/p.(*shop).total"}, "elsewhere": {}, "goroutine": {}, "loop": {},
		"paged": {}, "words": {"taken", "m/p.words"},
	} {
		by, yes := f.CalledForEach(Place{Function: "m/p.x", Line: int64(marks[mark])})
		if yes != (want.by != "") || by.Function != want.by || yes && int(by.Line) != marks[want.loop] {
			t.Errorf("%s: %v at %v, want %v", mark, yes, by, want)
		}
	}
}
