// Package query reads queries.
package query

import (
	"errors"
	"strconv"
)

// ErrDeep says that a query has too many terms.
var ErrDeep = errors.New("too many terms")

type kind uint8

const (
	word kind = iota
	phrase
	number
)

type term struct {
	kind       kind
	start, end int
	group      int
}

// scanner holds what a query is read with.
type scanner struct {
	text   string
	terms  [1024]term
	n      int
	counts [3]int
	depth  [256]int32
	out    []byte
}

// Explain says what a query asks for.
func Explain(text string) (string, error) {
	s := &scanner{text: text, out: make([]byte, 0, 4096)} // want: object-per-call
	if err := s.scan(); err != nil {
		return "", err
	}
	s.group()
	return string(s.write()), nil
}

func (s *scanner) scan() error {
	for i := 0; i < len(s.text); {
		c := s.text[i]
		if c == ' ' || c == '+' {
			i++
			continue
		}
		if s.n == len(s.terms) {
			return ErrDeep
		}
		t := term{kind: word, start: i}
		switch {
		case c == '"':
			t.kind = phrase
			for i++; i < len(s.text) && s.text[i] != '"'; i++ {
			}
			i++
		case c >= '0' && c <= '9':
			t.kind = number
			for ; i < len(s.text) && s.text[i] >= '0' && s.text[i] <= '9'; i++ {
			}
		default:
			for ; i < len(s.text) && s.text[i] != ' '; i++ {
			}
		}
		t.end = min(i, len(s.text))
		s.terms[s.n] = t
		s.counts[t.kind]++
		s.n++
	}
	return nil
}

// group numbers terms of like length.
func (s *scanner) group() {
	for i := range s.terms[:s.n] {
		t := &s.terms[i]
		l := min(t.end-t.start, len(s.depth)-1)
		s.depth[l]++
		t.group = l
	}
}

func (s *scanner) write() []byte {
	for _, t := range s.terms[:s.n] {
		s.out = append(s.out, s.text[t.start:t.end]...)
		s.out = append(s.out, " of group "...)
		s.out = strconv.AppendInt(s.out, int64(t.group), 10)
		s.out = append(s.out, " with "...)
		s.out = strconv.AppendInt(s.out, int64(s.depth[t.group]), 10)
		s.out = append(s.out, '\n')
	}
	for k, n := range s.counts {
		s.out = strconv.AppendInt(s.out, int64(k), 10)
		s.out = append(s.out, ':')
		s.out = strconv.AppendInt(s.out, int64(n), 10)
		s.out = append(s.out, ' ')
	}
	return append(s.out, '\n')
}
