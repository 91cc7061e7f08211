// Command presence keeps in a sync.Map who is there, and never who left.
package main

import (
	"sync"

	"holding/heap"
)

type visitor struct {
	seen [1000]byte
}

type room struct {
	name     string
	visitors sync.Map //holder: visitors
}

var lobby = room{name: "lobby"} //holder: visitors

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 1100 {
				lobby.visitors.Store(i, &visitor{})
			}
		},
		Clear: func() { lobby.visitors.Clear() },
	}.Main()
}
