package advice

import (
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
)

const locking = `package main

import "sync"

type store struct {
	mu   sync.Mutex
	many sync.RWMutex
	m    map[string]int
}

type counter struct {
	sync.Mutex
	n int
}

var global sync.Mutex

func (s *store) deferred(k string) int {
	work() // before
	s.mu.Lock()
	defer s.mu.Unlock()
	if k == "" {
		return work() // deferred
	}
	return s.m[k]
}

func (s *store) early(k string) int {
	s.mu.Lock()
	if v, ok := s.m[k]; ok {
		s.mu.Unlock()
		return v + work() // unlocked
	}
	n := work() // kept
	s.mu.Unlock()
	return n + work() // after
}

func (s *store) readers(c *counter) {
	s.many.RLock()
	work() // reading
	s.many.RUnlock()
	s.many.Lock()
	work() // writing
	c.Lock()
	global.Lock()
	work() // three
	global.Unlock()
	go func() {
		work() // later
	}()
	c.Unlock()
	s.many.Unlock()
}

func work() int { return 1 }
`

func TestLocksAt(t *testing.T) {
	f, marks := parsed(t, locking)
	for mark, want := range map[string]string{
		"before": "", "deferred": "s.mu", "unlocked": "", "kept": "s.mu", "after": "", "reading": "",
		"writing": "s.many", "three": "s.many c global", "later": "",
	} {
		var got []string
		for _, l := range f.locksAt(marks[mark]) {
			got = append(got, l.text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: under %q, want %q", mark, got, want)
		}
	}
	one, other := f.locksAt(marks["deferred"]), f.locksAt(marks["kept"])
	if len(one) != 1 || len(other) != 1 || one[0].key != other[0].key || one[0].line != marks["deferred"]-3 {
		t.Errorf("%+v and %+v are not the same lock", one, other)
	}
}

// waiting is a profile of contention of 1 s with 4 connections, in which waited goes to a function.
func waiting(function string, waited time.Duration, procs int) prof.Capture {
	f := &profile.Function{ID: 1, Name: function}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f, Line: 20}}}
	return prof.Capture{Kind: "mutex", Operations: 100, Duration: time.Second, Procs: procs, Profile: &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "contentions", Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}},
		Function:   []*profile.Function{f}, Location: []*profile.Location{l},
		Sample: []*profile.Sample{{Location: []*profile.Location{l}, Value: []int64{10, int64(waited)}}},
	}}
}

func TestContended(t *testing.T) {
	for name, c := range map[string]struct {
		mutex prof.Capture
		cost  float64
		want  string
	}{
		"waited for by 40 %": {waiting("main.(*store).deferred", 1600*time.Millisecond, 2), 0.8,
			"80 % of the CPU time is spent under the lock s.mu: at most 1.25 processors can work at the same time"},
		"waited for by 2 %":             {waiting("main.(*store).deferred", 80*time.Millisecond, 2), 0.8, ""},
		"another lock is waited for":    {waiting("main.(*other).f", 1600*time.Millisecond, 2), 0.8, ""},
		"little CPU time is under it":   {waiting("main.(*store).deferred", 1600*time.Millisecond, 2), 0.2, ""},
		"one processor sees no waiting": {waiting("main.(*store).deferred", 1600*time.Millisecond, 1), 0.8, ""},
	} {
		v, s := viewOf(t, map[string]string{"main.go": locking}, "main.work main.go after",
			"main.(*store).deferred main.go deferred", "net/http.HandlerFunc.ServeHTTP")
		s.cost = c.cost
		v.Numbers.Connections = 4
		v.Captures = map[string]prof.Capture{"mutex": c.mutex}
		all := v.contended(lockHeld, nil, v.underLocks())
		switch {
		case c.want == "" && len(all) != 0:
			t.Errorf("%s: %+v", name, all[0].Finding)
		case c.want != "" && (len(all) != 1 || all[0].Title != c.want || all[0].Cost != 0.4 ||
			all[0].Place.Function != "main.(*store).deferred"):
			t.Errorf("%s: %+v, want %q", name, all, c.want)
		}
		if again := v.contended(lockHeld,
			[]*found{{Finding: Finding{Place: Place{Function: "main.(*store).deferred"}}}},
			v.underLocks()); len(again) != 0 {
			t.Errorf("%s: said again, though the trace shows it: %+v", name, again)
		}
		if said := len(v.missing) > 0; said != (c.mutex.Procs == 1) {
			t.Errorf("%s: missing %q", name, v.missing)
		}
	}
}

// A lock is held for long since what is done under it could be cheaper: then that is the finding.
func TestALockIsAConsequence(t *testing.T) {
	v := &View{stacks: []stack{{cost: 0.3}, {cost: 0.3}, {cost: 0.2}}}
	lock := func() *found {
		return &found{rule: lockHeld, held: []int{0, 1},
			Finding: Finding{Measure: Latency, Place: Place{File: "a.go", Line: 9}}}
	}
	writes := func(gain float64, stacks ...int) *found {
		return &found{rule: unbufferedWrites, stacks: stacks,
			Finding: Finding{Measure: CPU, Cost: 0.3, Gain: gain, Place: Place{File: "a.go", Line: 30}}}
	}
	for name, c := range map[string]struct {
		other *found
		kept  int
	}{
		"half of it":        {writes(0.3, 0), 1},
		"half, not gained":  {writes(0.1, 0), 2},
		"not under it":      {writes(0.3, 2), 2},
		"not of its stacks": {writes(0.3), 2},
	} {
		f := lock()
		if kept := v.underOne([]*found{f, c.other}); len(kept) != c.kept ||
			(c.kept == 1) != (len(c.other.Evidence) == 1) {
			t.Errorf("%s: %d findings, %+v", name, len(kept), c.other.Evidence)
		}
	}
}
