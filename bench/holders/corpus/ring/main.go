// Command ring has room for many events and keeps those that were read already.
package main

import "holding/heap"

type event struct {
	source string
	data   []byte
}

type ring struct {
	slots      []event //holder: slots
	head, tail int
}

func (r *ring) put(e event) {
	r.slots[r.tail%len(r.slots)] = e
	r.tail++
}

func (r *ring) get() event {
	e := r.slots[r.head%len(r.slots)]
	r.head++
	return e
}

var recent *ring //holder: slots

func main() {
	heap.Program{
		Build: func(size int) {
			recent = &ring{slots: make([]event, size/1100)}
			for range 2 * len(recent.slots) {
				recent.put(event{"door", make([]byte, 1024)})
				recent.get()
			}
		},
		Clear: func() { recent.slots = nil },
	}.Main()
}
