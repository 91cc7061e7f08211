// Command finished had a goroutine with a buffer for each request; all have ended.
package main

//holder: none

import (
	"sync"

	"holding/heap"
)

func main() {
	heap.Program{
		Build: func(size int) {
			var requests sync.WaitGroup
			for range size / (72 << 10) {
				requests.Go(func() {
					body := make([]byte, 72<<10) // more than the compiler puts onto a stack
					for i := range body {
						body[i] = byte(i)
					}
				})
			}
			requests.Wait()
		},
	}.Main()
}
