// Command chain is a list of its own, of a hundred thousand blocks.
package main

import "holding/heap"

type block struct {
	hash [280]byte
	prev *block
}

var tip *block //holder: tip

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / 288 {
				tip = &block{prev: tip}
			}
		},
		Clear: func() { tip = nil },
	}.Main()
}
