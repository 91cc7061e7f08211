package main

import (
	"math/rand/v2"
	"strings"
)

// A library has the drafts of each text, the oldest first; a draft is its lines.
type library struct {
	texts [][][]string
}

var words = strings.Fields("the council shall hear each party before it rules on a claim and no later than ten days after the notice was given in writing unless both sides agree to wait for the report of an expert whom neither of them pays")

func newLibrary(n int) *library {
	rnd := rand.New(rand.NewPCG(21, 4))
	l := &library{}
	for range n {
		first := make([]string, 130)
		for i := range first {
			first[i] = sentence(rnd)
		}
		drafts := [][]string{first}
		for range 4 {
			drafts = append(drafts, edit(rnd, drafts[len(drafts)-1]))
		}
		l.texts = append(l.texts, drafts)
	}
	return l
}

func sentence(rnd *rand.Rand) string {
	var b strings.Builder
	b.WriteString("§ ")
	for range 6 + rnd.IntN(6) {
		b.WriteString(words[rnd.IntN(len(words))])
		b.WriteByte(' ')
	}
	return b.String()
}

// edit changes some lines around the middle of a draft, and some at its start.
func edit(rnd *rand.Rand, old []string) []string {
	out := append([]string(nil), old[:12+rnd.IntN(8)]...)
	out = append(out, sentence(rnd))
	for i, line := range old[len(out)-1:] {
		switch {
		case i < 50 && rnd.IntN(8) == 0:
			out = append(out, sentence(rnd))
		case i < 50 && rnd.IntN(12) == 0:
			// A line less.
		default:
			out = append(out, line)
		}
	}
	return out
}

func (l *library) drafts(text, from, to int) (a, b []string, ok bool) {
	if text < 0 || text >= len(l.texts) {
		return nil, nil, false
	}
	d := l.texts[text]
	if from < 0 || from >= len(d) || to < 0 || to >= len(d) {
		return nil, nil, false
	}
	return d[from], d[to], true
}
