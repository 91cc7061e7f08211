package code

import (
	"strings"
	"testing"
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
		for _, l := range f.LocksAt(marks[mark]) {
			got = append(got, l.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: under %q, want %q", mark, got, want)
		}
	}
	one, other := f.LocksAt(marks["deferred"]), f.LocksAt(marks["kept"])
	if len(one) != 1 || len(other) != 1 || one[0].Key != other[0].Key || one[0].Line != marks["deferred"]-3 {
		t.Errorf("%+v and %+v are not the same lock", one, other)
	}
}
