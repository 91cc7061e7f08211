// Command watchers keeps its clients as the keys of a map.
package main

import "holding/heap"

type client struct {
	unsent [2000]byte
	next   int
}

type hub struct {
	open map[*client]struct{} //holder: open
}

var board = &hub{open: map[*client]struct{}{}} //holder: open

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 2048 {
				board.open[&client{next: i}] = struct{}{}
			}
		},
		Clear: func() { clear(board.open) },
	}.Main()
}
