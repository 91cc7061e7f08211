// Command once computes a table at its first use, and a closure has it from then on.
package main

import (
	"sync"

	"holding/heap"
)

var entries int

var model = sync.OnceValue(func() [][]float64 { //holder: model
	rows := make([][]float64, entries)
	for i := range rows {
		rows[i] = make([]float64, 1000)
	}
	return rows
})

var scored float64

func main() {
	heap.Program{
		Build: func(size int) {
			entries = size / 8192
			scored = model()[0][0]
		},
		Clear: func() { model = nil },
	}.Main()
}
