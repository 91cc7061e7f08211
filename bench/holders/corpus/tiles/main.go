// Command tiles keeps pictures as values of a map, without a pointer in them.
package main

import "holding/heap"

type place struct{ x, y int32 }

type tile [120]byte

var tiles = map[place]tile{} //holder: tiles

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 256 {
				tiles[place{int32(i % 1000), int32(i / 1000)}] = tile{1}
			}
		},
		Clear: func() { tiles = nil },
	}.Main()
}
