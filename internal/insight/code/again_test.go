package code

import "testing"

const seenAgain = `package p

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"
)

type offer struct {
	name, day string
	price     int
	size      [20]int
}

type shop struct {
	offers []offer
	less   func(a, b offer) int
}

func (s *shop) orders(user string, rate int, at [3]int) []offer {
	own := slices.Clone(s.offers)
	slices.SortFunc(own, func(a, b offer) int { return cmp.Compare(a.price, b.price) }) // copy
	slices.SortFunc(s.offers, func(a, b offer) int { return s.less(a, b) }) // kept
	sort.Slice(s.offers, func(i, j int) bool { return s.offers[i].price < s.offers[j].price }) // kept by index
	slices.SortFunc(s.offers, func(a, b offer) int { return cmp.Compare(a.price*rate, b.price) }) // by the call
	return own
}

func (s *shop) rebated(rate int) []offer {
	own := slices.Clone(s.offers)
	for i := range own {
		own[i].price -= own[i].price * rate / 100
	}
	slices.SortFunc(own, func(a, b offer) int { return cmp.Compare(a.price, b.price) }) // changed copy
	return own
}

func (s *shop) days(text string, lines []string) (sum int) {
	for _, o := range s.offers {
		t, _ := time.Parse(time.DateOnly, o.day) // stored day
		sum += t.Day()
	}
	for _, l := range lines {
		t, _ := time.Parse(time.DateOnly, l) // day of the request
		sum += t.Day()
	}
	return sum
}

func texts(parts []string, all [20]offer) (s string, links []string) {
	for i, p := range parts {
		s += p // adds
		s = s + p // adds again
		s = "<" + p + s // adds in front
		links = append(links, "/"+p+strings.ToUpper(p)) // each of its own
		other := "/" + p // new
		links[0] = other + p // element
		n := i % len(all) // length
		one := all[n] // value
		_ = one
	}
	return s, links
}
`

func TestOrderOfItsOwn(t *testing.T) {
	f, marks := parsed(t, seenAgain)
	for mark, want := range map[string]bool{"copy": true, "kept": true, "kept by index": true, "by the call": false,
		"changed copy": false} {
		if got := f.SortsKept(marks[mark]); (got != "") != want {
			t.Errorf("%s: %q", mark, got)
		}
	}
}

func TestTextsThatWereSeenBefore(t *testing.T) {
	f, marks := parsed(t, seenAgain)
	for mark, want := range map[string]bool{"stored day": true, "day of the request": false} {
		if got := f.ParsesAgain(marks[mark], "Parse"); got != want {
			t.Errorf("%s: %v", mark, got)
		}
	}
}

func TestTextsThatGrow(t *testing.T) {
	f, marks := parsed(t, seenAgain)
	for mark, want := range map[string]bool{"adds": true, "adds again": true, "adds in front": true,
		"each of its own": false, "new": false, "element": false} {
		if got := f.Grows(marks[mark]); got != want {
			t.Errorf("%s: %v", mark, got)
		}
	}
}

func TestLengthOfAnArrayIsNoCopy(t *testing.T) {
	f, marks := parsed(t, seenAgain)
	if got := f.CopiedValue(marks["length"]); got != "" {
		t.Errorf("len of an array copies %s", got)
	}
	if got := f.CopiedValue(marks["value"]); got == "" {
		t.Error("a value of an element is copied")
	}
}

const copies = `package p

import (
	"maps"
	"slices"
	"sync"
)

type policy struct {
	mu     sync.Mutex
	roles  map[string]string
	grants map[string]string
	names  []string
}

func (p *policy) Roles() map[string]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.roles) // looked up
}

func (p *policy) Grants() map[string]string { return maps.Clone(p.grants) } // listed

func (p *policy) Names() []string { return slices.Clone(p.names) } // changed

func (p *policy) allowed(user string) bool {
	role, ok := p.Roles()[user]
	all := p.Roles()
	return ok && role != "" && len(all) > 3 && all["x"] == ""
}

func (p *policy) list() (s string) {
	for _, g := range p.Grants() {
		s += g
	}
	names := p.Names()
	names[0] = s
	own := slices.Clone(p.names) // local
	return own[0] + names[1]
}
`

func TestCopiesOfWhichOneElementIsRead(t *testing.T) {
	f, marks := parsed(t, copies)
	for mark, want := range map[string]bool{"looked up": true, "listed": false, "changed": false, "local": true} {
		if got := f.CopiedForOne(marks[mark]); (got != "") != want {
			t.Errorf("%s: %q", mark, got)
		}
	}
}
