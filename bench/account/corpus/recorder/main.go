// Command recorder has buffers for an hour of sound, most of which it has not written yet.
//
// planted: live heap, 64 MB
package main

import (
	"runtime"

	"resident/stay"
)

type track struct {
	samples []int16
	at      int
}

var tracks [8]track

func (t *track) record(n int) {
	for i := range n {
		t.samples[t.at] = int16(i) | 1
		t.at++
	}
}

func main() {
	stay.Program{Plant: func() {
		for i := range tracks {
			tracks[i].samples = make([]int16, 32e6)
			tracks[i].record(4e6)
		}
		runtime.GC()
	}}.Main()
}
