// Command frames parks goroutines, each with a large array in its frame.
package main

import (
	"sync"

	"holding/heap"
)

var (
	quit    = make(chan struct{})
	walkers sync.WaitGroup
)

//go:noinline
func touch(board []byte) { board[len(board)/2]++ }

func walk(started *sync.WaitGroup) {
	var board [61 << 9]byte //holder: walk
	touch(board[:])
	started.Done()
	<-quit
	touch(board[:])
}

func main() {
	heap.Program{
		Build: func(size int) {
			var started sync.WaitGroup
			for range size / (32 << 10) {
				started.Add(1)
				walkers.Go(func() { walk(&started) })
			}
			started.Wait()
		},
		Clear: func() {
			close(quit)
			walkers.Wait()
		},
	}.Main()
}
