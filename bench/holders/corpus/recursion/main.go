// Command recursion grew the stacks of goroutines that live on, and collections shrank them.
package main

//holder: none

import (
	"runtime"
	"sync"

	"holding/heap"
)

var quit = make(chan struct{})

//go:noinline
func depth(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + depth(n-1)
}

func work(done *sync.WaitGroup, buffer []byte) {
	buffer[0] = byte(depth(20_000))
	done.Done()
	<-quit
}

func main() {
	heap.Program{
		Build: func(size int) {
			var done sync.WaitGroup
			for range 10 {
				done.Add(1)
				go work(&done, make([]byte, size/10)) // lives until the end of the program
			}
			done.Wait()
			for range 10 {
				runtime.GC() // a collection halves a stack
			}
		},
	}.Main()
}
