// Command versions publishes a snapshot by an atomic pointer, and each snapshot has the one that it replaced.
package main

import (
	"sync/atomic"

	"holding/heap"
)

type snapshot struct {
	rates    []float64
	previous *snapshot
}

var current atomic.Pointer[snapshot] //holder: current

func publish(n int) {
	current.Store(&snapshot{make([]float64, n), current.Load()})
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / (16 << 10) {
				publish(2 << 10)
			}
		},
		Clear: func() { current.Store(nil) },
	}.Main()
}
