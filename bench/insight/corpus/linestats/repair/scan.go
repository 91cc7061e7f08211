package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"sync"
	"unicode"
	"unicode/utf8"
)

type stats struct {
	lineBuffer int
	buffers    sync.Pool
}

type result struct {
	Lines   int            `json:"lines"`
	Empty   int            `json:"empty"`
	Longest int            `json:"longest"`
	Letters int            `json:"letters"`
	Digits  int            `json:"digits"`
	Starts  map[string]int `json:"starts"`
}

// scanner returns a scanner and what gives its buffer back.
func (s *stats) scanner(r io.Reader) (*bufio.Scanner, func()) {
	buf, _ := s.buffers.Get().(*[]byte)
	if buf == nil {
		b := make([]byte, 0, s.lineBuffer)
		buf = &b
	}
	sc := bufio.NewScanner(r)
	sc.Buffer(*buf, 2*s.lineBuffer)
	return sc, func() { s.buffers.Put(buf) }
}

func (s *stats) count(text io.Reader) (*result, error) {
	res := &result{Starts: map[string]int{}}
	sc, done := s.scanner(text)
	defer done()
	for sc.Scan() {
		res.add(sc.Bytes())
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", res.Lines+1, err)
	}
	return res, nil
}

func (r *result) add(line []byte) {
	r.Lines++
	if len(bytes.TrimSpace(line)) == 0 {
		r.Empty++
		return
	}
	r.Longest = max(r.Longest, utf8.RuneCount(line))
	for _, c := range string(line) {
		switch {
		case unicode.IsLetter(c):
			r.Letters++
		case unicode.IsDigit(c):
			r.Digits++
		}
	}
	word, _, _ := bytes.Cut(line, []byte(" "))
	r.Starts[string(word)]++
}
