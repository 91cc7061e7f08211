// Command worker has one goroutine that collects batches in a local variable and never ships them.
package main

import "holding/heap"

type batch struct{ rows [500]int64 }

var (
	in   = make(chan *batch)
	quit = make(chan chan int)
)

func ship() {
	var unshipped []*batch //holder: ship
	for {
		select {
		case b := <-in:
			unshipped = append(unshipped, b)
		case done := <-quit:
			done <- len(unshipped)
			return
		}
	}
}

func main() {
	heap.Program{
		Build: func(size int) {
			go ship() // ends at quit
			for range size / 4096 {
				in <- new(batch)
			}
		},
		Clear: func() {
			done := make(chan int)
			quit <- done
			<-done
		},
	}.Main()
}
