// Command sorting needs a large buffer, but only while it sorts.
package main

//holder: none

import (
	"slices"

	"holding/heap"
)

var median uint64

func sort(n int) {
	numbers := make([]uint64, n)
	for i := range numbers {
		numbers[i] = uint64(i) * 0x9e3779b97f4a7c15
	}
	slices.Sort(numbers)
	median = numbers[n/2]
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range 4 {
				sort(size / 32)
			}
		},
	}.Main()
}
