// Command batches fills one slice again and again and clears it each time.
package main

//holder: none

import "holding/heap"

type row struct{ cells [100]int64 }

var (
	batch   []*row
	written int
)

func flush() {
	written += len(batch)
	clear(batch)
	batch = batch[:0]
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / 800 {
				if batch = append(batch, new(row)); len(batch) == 1000 {
					flush()
				}
			}
			flush()
		},
	}.Main()
}
