// Command gateway has a goroutine for each of 100,000 clients that are connected and silent.
//
// planted: goroutine stacks, 205 MB
package main

import (
	"runtime"
	"sync"

	"resident/stay"
)

type client struct {
	id     int
	frames chan []byte
	read   int
}

var (
	clients []*client
	hello   sync.WaitGroup
)

func (c *client) serve() {
	hello.Done()
	for f := range c.frames {
		c.read += len(f)
	}
}

func main() {
	stay.Program{Plant: func() {
		for i := range 100_000 {
			c := &client{id: i, frames: make(chan []byte)}
			clients = append(clients, c)
			hello.Add(1)
			go c.serve() // ends with the process
		}
		hello.Wait()
		runtime.GC()
	}}.Main()
}
