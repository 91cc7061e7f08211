// Command answers starts a goroutine per request that sends its answer to a channel from which no one receives.
package main

import (
	"runtime"

	"holding/heap"
)

var (
	answers = make(chan []byte)
	started = make(chan struct{})
)

func ask(n int) {
	go func() {
		answer := make([]byte, n) //holder: ask
		started <- struct{}{}
		answers <- answer
	}()
	<-started
}

var asked int

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / (98 << 10) {
				ask(96 << 10)
				asked++
			}
		},
		Clear: func() {
			for range asked {
				<-answers
			}
			runtime.Gosched()
		},
	}.Main()
}
