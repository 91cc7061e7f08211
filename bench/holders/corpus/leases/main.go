// Command leases waits for the end of each lease, which is hours away, in a goroutine that has the lease.
package main

import (
	"sync"
	"time"

	"holding/heap"
)

type lease struct {
	holder string
	pages  []byte
}

var (
	shutdown = make(chan struct{})
	waiting  sync.WaitGroup
	expired  int
)

func expire(l *lease) { //holder: expire
	select {
	case <-time.After(24 * time.Hour):
		expired += len(l.pages)
	case <-shutdown:
	}
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / (130 << 10) {
				l := &lease{"tenant", make([]byte, 128<<10)} //holder: expire
				waiting.Go(func() { expire(l) })
			}
		},
		Clear: func() {
			close(shutdown)
			waiting.Wait()
		},
	}.Main()
}
