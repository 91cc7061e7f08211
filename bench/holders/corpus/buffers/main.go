// Command buffers puts its buffers back into a pool and keeps them in a list of what was lent, too.
package main

import (
	"bytes"
	"sync"

	"holding/heap"
)

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type lender struct {
	lent []*bytes.Buffer //holder: lent
}

var desk lender //holder: lent

func (l *lender) get() *bytes.Buffer {
	b, _ := pool.Get().(*bytes.Buffer)
	b.Reset()
	l.lent = append(l.lent, b)
	return b
}

func render(n int) {
	b := desk.get()
	b.Write(make([]byte, n))
	if b.Len()%2 == 0 {
		defer pool.Put(b)
	}
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / (16 << 10) {
				render(16<<10 - 1)
			}
			for range 10 {
				render(1 << 10)
			}
		},
		Clear: func() { desk.lent = nil },
	}.Main()
}
