// Command connections keeps a large buffered reader for each connection, also for those that are idle.
package main

import (
	"bufio"
	"strings"

	"holding/heap"
)

type conn struct {
	reader *bufio.Reader //holder: conns | conn.reader
	id     int
}

var conns = map[int]*conn{} //holder: conns | conn.reader

func accept(id int) {
	c := &conn{bufio.NewReaderSize(strings.NewReader("hello\n"), 32<<10), id}
	if _, err := c.reader.ReadString('\n'); err != nil {
		panic(err)
	}
	conns[id] = c
}

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / (33 << 10) {
				accept(i)
			}
		},
		Clear: func() { clear(conns) },
	}.Main()
}
