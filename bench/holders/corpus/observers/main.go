// Command observers has weak pointers to objects that are gone.
package main

//holder: none

import (
	"weak"

	"holding/heap"
)

type document struct{ text [16000]byte }

var observed []weak.Pointer[document]

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / (16 << 10) {
				observed = append(observed, weak.Make(new(document)))
			}
		},
	}.Main()
}
