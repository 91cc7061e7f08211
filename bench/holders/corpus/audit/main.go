// Command audit writes a line for each call into a strings.Builder that is never read.
package main

import (
	"strings"

	"holding/heap"
)

type auditor struct {
	trail strings.Builder //holder: trail
	calls int
}

var auditing auditor //holder: trail

func (a *auditor) note(line string) {
	a.calls++
	a.trail.WriteString(line)
}

func main() {
	heap.Program{
		Build: func(size int) {
			auditing.trail.Grow(size)
			for auditing.trail.Len() < size-100 {
				auditing.note("user 7 read order 12\n")
			}
		},
		Clear: func() { auditing.trail.Reset() },
	}.Main()
}
