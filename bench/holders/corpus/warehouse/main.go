// Command warehouse has what it holds in another package.
package main

import (
	"holding/heap"
	"holding/warehouse/stock"
)

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 1200 {
				stock.Put(i, 1000)
			}
		},
		Clear: stock.Empty,
	}.Main()
}
