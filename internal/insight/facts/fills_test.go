package facts

import "testing"

const filled = `package m

import (
	"container/list"
	"sync"
)

type entry struct{ data []byte }

var (
	cache  = map[string]*entry{}
	seen   = map[string]bool{}
	log    []entry
	recent []entry
	few    []entry
	pages  sync.Map
	queue  = list.New()
	jobs   = list.New()
	byDay  = map[int][]entry{}
	count  int
)

type service struct {
	sessions map[string]*entry
	given    map[string]bool
	history  []entry
}

func newService() *service { s := &service{}; s.sessions = map[string]*entry{}; return s }

func (s *service) login(id string) {
	s.sessions[id] = &entry{} // login
}

func (s *service) logout(id string) { delete(s.sessions, id) }

func (s *service) note(e entry) {
	s.history = append(s.history, e) // note
}

func (s *service) give(id string) {
	if len(s.given) == 2000 {
		s.given = map[string]bool{}
	}
	s.given[id] = true // give
}

func get(key string) *entry {
	e := cache[key]
	if e == nil {
		e = &entry{}
		if len(cache) < 60_000 {
			cache[key] = e // get
		}
	}
	return e
}

func once(key string) {
	if len(seen) > 0 {
		key += "x"
	}
	seen[key] = true // once
}

func audit(e entry) {
	log = append(log, e) // audit
}

func remember(e entry) {
	recent = append(recent, e) // remember
	recent = recent[1:]
}

func first(e entry) {
	if count < 500 {
		few = append(few, e) // first
		count++
	}
}

func show(key string, e entry) {
	pages.Store(key, e) // show
}

func push(e entry) {
	queue.PushBack(e) // push
}

func start(e entry) {
	jobs.PushBack(e) // start
	jobs.Remove(jobs.Front())
}

func day(n int, e entry) {
	byDay[n%7] = append(byDay[n%7], e) // day
}

func local(e entry) int {
	var all []entry
	all = append(all, e) // local
	return len(all)
}

func handler() func(entry) {
	var all []entry
	return func(e entry) {
		all = append(all, e) // closure
	}
}
`

// A statement fills what outlives the request, and the source may say what ends that.
func TestWhatIsFilledAndWhatEndsIt(t *testing.T) {
	files := map[string]string{"store.go": filled}
	for _, c := range []struct {
		function, mark string
		variable       string // empty: nothing that outlives the request
		appends        bool
		limit          string
		entries        uint64
	}{
		{"get", "get", "cache", false, "len(cache) < 60_000", 60_000},
		{"once", "once", "seen", false, "", 0},
		{"audit", "audit", "log", true, "", 0},
		{"remember", "remember", "recent", true, "recent[1:]", 0},
		{"first", "first", "few", true, "count < 500", 500},
		{"show", "show", "pages", false, "", 0},
		{"push", "push", "queue", true, "", 0},
		{"start", "start", "jobs", true, "jobs.Remove(jobs.Front())", 0},
		{"day", "day", "byDay", false, "n % 7", 7},
		{"(*service).login", "login", "sessions", false, "delete(s.sessions, id)", 0},
		{"(*service).note", "note", "history", true, "", 0},
		{"(*service).give", "give", "given", false, "len(s.given) == 2000", 2000},
		{"local", "local", "", false, "", 0},
		{"handler.func1", "closure", "all", true, "", 0},
	} {
		v, s := viewOf(t, files, "example.com/m."+c.function+" store.go "+c.mark)
		all := v.Fillings(s)
		if c.variable == "" {
			if len(all) > 0 {
				t.Errorf("%s: fills %s", c.function, all[0].Variable)
			}
			continue
		}
		if len(all) != 1 {
			t.Errorf("%s: %d fillings: %+v", c.function, len(all), all)
			continue
		}
		f := all[0]
		if f.Variable != c.variable || f.Appends != c.appends || f.Limit.Text != c.limit ||
			f.Limit.Entries != c.entries || f.Place.Line != s.Frames[0].Line {
			t.Errorf("%s: %s appends %t, limit %q of %d entries, in line %d", c.function, f.Variable, f.Appends,
				f.Limit.Text, f.Limit.Entries, f.Place.Line)
		}
		if of := v.FillingsOf(f.Declared); len(of) != 1 ||
			of[0].Place.Line != f.Place.Line {
			t.Errorf("%s: of the variable in line %d %+v", c.function, f.Declared.Line, of)
		}
	}
}
