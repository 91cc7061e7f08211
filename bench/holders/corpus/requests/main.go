// Command requests derives a context with a cancel function from one that lives on, and never calls it.
package main

import (
	"context"

	"holding/heap"
)

type bodyKey struct{}

var lifetime, end = context.WithCancel(context.Background()) //holder: lifetime | end | cancelCtx.children

func request(n int) context.Context {
	ctx, cancel := context.WithCancel(context.WithValue(lifetime, bodyKey{}, make([]byte, n)))
	_ = cancel
	return ctx
}

var served int

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / (9 << 10) {
				if request(8<<10).Err() == nil {
					served++
				}
			}
		},
		Clear: func() { end() },
	}.Main()
}
