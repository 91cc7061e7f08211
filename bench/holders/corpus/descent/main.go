// Command descent parks goroutines at the bottom of a deep recursion.
package main

import (
	"sync"

	"holding/heap"
)

type node struct{ depth int }

var (
	quit      = make(chan struct{})
	searchers sync.WaitGroup
)

//go:noinline
func descend(n node, started *sync.WaitGroup) int { //holder: descend
	if n.depth == 0 {
		started.Done()
		<-quit
		return 0
	}
	return n.depth + descend(node{n.depth - 1}, started)
}

func main() {
	heap.Program{
		Build: func(size int) {
			var started sync.WaitGroup
			for range size / (64 << 10) {
				started.Add(1)
				searchers.Go(func() { descend(node{1310}, &started) })
			}
			started.Wait()
		},
		Clear: func() {
			close(quit)
			searchers.Wait()
		},
	}.Main()
}
