// Command callbacks registers a function for each client, which has the client, and takes none away.
package main

import "holding/heap"

type client struct {
	outbox []byte
}

type bus struct {
	listeners []func(string) int //holder: listeners
	topic     string
}

var events = &bus{topic: "news"} //holder: listeners

func (b *bus) connect() {
	c := &client{make([]byte, 10_000)}
	b.listeners = append(b.listeners, func(text string) int { return copy(c.outbox, text) })
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / 10_300 {
				events.connect()
			}
		},
		Clear: func() { events.listeners = nil },
	}.Main()
}
