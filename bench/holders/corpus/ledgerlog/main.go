// Command ledgerlog is a list of its own with two ends, each element of which knows both neighbours.
package main

import "holding/heap"

type entry struct {
	note       []byte
	next, prev *entry
}

type log struct {
	oldest, newest *entry //holder: journal | oldest | newest
}

var journal log //holder: journal | oldest | newest

func (l *log) add(note []byte) {
	e := &entry{note: note, prev: l.newest}
	if l.newest == nil {
		l.oldest = e
	} else {
		l.newest.next = e
	}
	l.newest = e
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / 580 {
				journal.add(make([]byte, 512))
			}
		},
		Clear: func() { journal = log{} },
	}.Main()
}
