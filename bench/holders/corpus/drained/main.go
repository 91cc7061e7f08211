// Command drained used a pool of large buffers, which two collections emptied.
package main

//holder: none

import (
	"sync"

	"holding/heap"
)

var buffers = sync.Pool{New: func() any { return new([64 << 10]byte) }}

func main() {
	heap.Program{
		Build: func(size int) {
			var lent []any
			for range size / (64 << 10) {
				lent = append(lent, buffers.Get())
			}
			for _, b := range lent {
				buffers.Put(b)
			}
		},
	}.Main()
}
