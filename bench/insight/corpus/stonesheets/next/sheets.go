package main

import "sync"

// sheets reads each sheet once, even if many ask for it at the same time.
type sheets struct {
	archive archive
	mu      sync.Mutex
	entries map[int]*entry
}

type entry struct {
	once  sync.Once
	sheet *sheet
	err   error
}

func newSheets(a archive) *sheets { return &sheets{archive: a, entries: make(map[int]*entry)} }

func (s *sheets) get(id int) (*sheet, error) {
	e := s.entry(id)
	e.once.Do(func() { e.load(s.archive, id) })
	return e.sheet, e.err
}

func (s *sheets) entry(id int) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[id]
	if e == nil {
		e = new(entry)
		s.entries[id] = e
	}
	return e
}

func (e *entry) load(a archive, id int) {
	text, err := a.read(id)
	if err != nil {
		e.err = err
		return
	}
	var p parser
	p.parse(text)
	e.sheet = p.finish()
}
