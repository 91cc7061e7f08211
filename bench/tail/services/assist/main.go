// Command assist keeps a large heap of small objects, allocates much for each request, and has its
// memory limited by a small GOGC: while the collector marks, requests must help it to get memory.
package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/gohone/hone/bench/tail/serving"
)

// node is a part of the heap that the collector has to mark.
type node struct {
	next *node
	_    [2]int
}

// nodes is their number: marking them takes some 50 ms of CPU time.
const nodes = 2_000_000

type index struct{ parts []*node }

func main() { serving.Main(start) }

func start(context.Context) (serving.Handler, error) {
	debug.SetGCPercent(25)
	x := &index{parts: make([]*node, nodes)}
	for i := range x.parts {
		x.parts[i] = &node{next: x.parts[i/2]}
	}
	return x.search, nil
}

// search takes 190 kB in small pieces.
func (x *index) search(_ context.Context, r *serving.Request) error {
	began := time.Now()
	var found *node
	for range 8000 {
		found = &node{next: found} // cause: collector
	}
	r.Waited(1, began)
	runtime.KeepAlive(found)
	return nil
}
