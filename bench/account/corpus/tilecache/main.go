// Command tilecache keeps the tiles of a map in one piece of memory that the collector does not see.
//
// planted: anonymous outside of the runtime, 60 MB
package main

import (
	"syscall"

	"resident/stay"
)

const tile = 15_000

type cache struct {
	memory []byte
	free   int
	at     map[int]int
}

var tiles = cache{at: map[int]int{}}

func (c *cache) put(id int, picture []byte) {
	c.at[id] = c.free
	c.free += copy(c.memory[c.free:], picture)
}

func main() {
	stay.Program{
		Rest: func() {
			for i := range 30_000 {
				tiles.at[-i] = i
			}
		},
		Plant: func() {
			const most = 4 * 4000 * tile // a quarter is used so far
			tiles.memory = stay.Must(syscall.Mmap(-1, 0, most, syscall.PROT_READ|syscall.PROT_WRITE,
				syscall.MAP_PRIVATE|syscall.MAP_ANON))
			picture := stay.Fill(make([]byte, tile))
			for id := range 4000 {
				tiles.put(id, picture)
			}
		},
	}.Main()
}
