// Command encoders has a pool of encoders. One large answer after the other has made all of them large.
//
// planted: live heap, 67 MB
package main

import (
	"bytes"
	"runtime"
	"sync"

	"resident/stay"
)

type encoder struct {
	out     bytes.Buffer
	scratch [4096]byte
}

var pool = sync.Pool{New: func() any { return new(encoder) }}

func answer(at []*encoder, size int) {
	for i := range at {
		e := pool.Get().(*encoder)
		for range size / len(e.scratch) {
			e.out.Write(stay.Fill(e.scratch[:]))
		}
		at[i] = e
	}
	for i, e := range at {
		e.out.Reset()
		pool.Put(e)
		at[i] = nil
	}
}

func main() {
	stay.Program{Plant: func() {
		runtime.GC()
		answer(make([]*encoder, 64), 1<<20)
		runtime.GC()
	}}.Main()
}
