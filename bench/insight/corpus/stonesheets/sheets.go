package main

import (
	"strings"
	"sync"
)

// A sheet is what the service needs of a text.
type sheet struct {
	title    string
	headings []string
	samples  int
	strength int // of the weakest sample, in newtons
}

// sheets reads each sheet once.
type sheets struct {
	archive archive
	mu      sync.RWMutex
	byID    map[int]*sheet
}

func newSheets(a archive) *sheets { return &sheets{archive: a, byID: map[int]*sheet{}} }

func (s *sheets) get(id int) (*sheet, error) {
	s.mu.RLock()
	sh := s.byID[id]
	s.mu.RUnlock()
	if sh != nil {
		return sh, nil
	}
	text, err := s.archive.read(id)
	if err != nil {
		return nil, err
	}
	sh = parse(text)
	s.mu.Lock()
	s.byID[id] = sh
	s.mu.Unlock()
	return sh, nil
}

func parse(text string) *sheet {
	sh := &sheet{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			sh.headings = append(sh.headings, strings.Clone(heading))
			continue
		}
		fields := strings.Fields(line)
		if len(fields) > 4 && fields[0] == "Sample" {
			sh.samples++
			n := number(fields[4])
			if sh.strength == 0 || n < sh.strength {
				sh.strength = n
			}
		}
	}
	if len(sh.headings) > 0 {
		sh.title = sh.headings[0]
	}
	return sh
}

func number(s string) int {
	n := 0
	for _, c := range s {
		n = n*10 + int(c-'0')
	}
	return n
}
