// Command orders appends each order to a global slice.
package main

import "holding/heap"

type order struct {
	id    int
	items [60]int64
}

var orders []*order //holder: orders

// last is of the newest order only.
var last *order

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 500 {
				last = &order{id: i}
				orders = append(orders, last)
			}
		},
		Clear: func() { orders, last = nil, nil },
	}.Main()
}
