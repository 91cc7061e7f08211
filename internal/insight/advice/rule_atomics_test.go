package advice

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// counted has loops that add to atomic words: those of the first half could add once, those of the second could not.
const counted = `package m

import (
	"sync"
	"sync/atomic"
)

type stats struct {
	seen, bytes atomic.Int64
	by          [26]atomic.Int64
}

type item struct {
	size  int
	views atomic.Int64
}

var hits uint64

var jobs chan int

func (s *stats) note(size int) {
	s.seen.Add(1) // helper
	s.bytes.Add(int64(size)) // second
}

func scan(s *stats, items []*item) {
	for _, one := range items {
		s.note(one.size) // note
		use(one) // used
		atomic.AddUint64(&hits, 1) // function
	}
	for _, c := range "text" { // turn
		s.by[c-'a'].Add(1) // class
	}
	s.seen.Add(1) // once
}

func other(s *stats, items []*item, limit int64, done *sync.WaitGroup, each map[int]*atomic.Int64) {
	for i, one := range items {
		one.views.Add(1) // itself
		items[i].views.Add(1) // place
		s.by[i].Add(int64(one.size)) // flush
		number := s.seen.Add(1) // number
		use(number)
		done.Add(1) // group
		each[i].Add(1) // key
	}
	for range items {
		if s.bytes.Load() > limit {
			break
		}
		s.bytes.Add(1) // limited
	}
	for job := range jobs {
		s.seen.Add(1) // served
		use(job)
	}
}
`

// A word that all elements of a loop add to is named, at the line that adds, with what a profile puts to the line after
// it. One whose new value is used, or that the loop asks for, or that each element has of its own, is not.
func TestAtomicWordsThatEachElementAddsTo(t *testing.T) {
	at := func(function, mark string) string {
		return fmt.Sprintf("%s.%s@/src/a.go:%d", user, function, lineOf(t, counted, mark))
	}
	const method, root = "sync/atomic.(*Int64).Add < ", " < net/http.(*conn).serve"
	inNote := " < " + at("scan", "note") + root
	for name, c := range map[string]struct {
		samples map[string]int64
		place   string
		cost    float64
		title   string
	}{
		"in a helper": {map[string]int64{method + at("(*stats).note", "helper") + inNote: 30,
			at("(*stats).note", "second") + inNote: 120, at("scan", "used") + root: 50}, "second", 0.20,
			"s.bytes and one word more are added to atomically for each element of a loop"},
		"by a function": {map[string]int64{at("scan", "function") + root: 60,
			"runtime.asyncPreempt < " + at("scan", "function") + root: 40}, "function", 0.10,
			"hits is added to atomically for each element of a loop"},
		"one of a few words, and the next turn": {map[string]int64{method + at("scan", "class") + root: 60,
			at("scan", "turn") + root: 90}, "class", 0.15,
			"s.by[c - 'a'] is added to atomically for each element of a loop"},
		"what the line calls otherwise": {map[string]int64{at("scan", "function") + root: 90,
			user + ".price@/src/b.go:3 < " + at("scan", "used") + root: 300}, "function", 0.09,
			"hits is added to atomically for each element of a loop"},
		"cheap":          {map[string]int64{at("scan", "function") + root: 20}, "", 0, ""},
		"once":           {map[string]int64{method + at("scan", "once") + root: 200}, "", 0, ""},
		"of the element": {map[string]int64{method + at("other", "itself") + root: 200}, "", 0, ""},
		"of its place":   {map[string]int64{method + at("other", "place") + root: 200}, "", 0, ""},
		"one for each":   {map[string]int64{method + at("other", "flush") + root: 200}, "", 0, ""},
		"the new value":  {map[string]int64{method + at("other", "number") + root: 200}, "", 0, ""},
		"a group":        {map[string]int64{at("other", "group") + root: 200}, "", 0, ""},
		"of a key":       {map[string]int64{method + at("other", "key") + root: 200}, "", 0, ""},
		"a limit":        {map[string]int64{method + at("other", "limited") + root: 200}, "", 0, ""},
		"serving":        {map[string]int64{method + at("other", "served") + root: 200}, "", 0, ""},
	} {
		if f := onlyFinding(t, counted, c.samples); c.place == "" && f != nil {
			t.Errorf("%s: %+v", name, f)
		} else if c.place != "" && (f == nil || f.Rule != "atomic-per-item" || f.Place.Line != lineOf(t, counted, c.place) ||
			math.Abs(f.Cost-c.cost) > 1e-9 || !strings.HasPrefix(f.Title, c.title) || f.GainWord != About) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
