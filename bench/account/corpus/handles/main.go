// Command handles closes what its users forget to, by a finalizer for each handle.
//
// planted: runtime structures, 40 MB
package main

import (
	"runtime"

	"resident/stay"
)

type handle struct {
	descriptor int
	next       *handle
}

var (
	first  *handle
	closed int
)

func (h *handle) close() { closed++ }

func open(n int) {
	h := &handle{descriptor: n, next: first}
	first = h
	runtime.SetFinalizer(h, (*handle).close)
}

func main() {
	stay.Program{Plant: func() {
		for i := range 700_000 {
			open(i)
		}
		runtime.GC()
	}}.Main()
}
