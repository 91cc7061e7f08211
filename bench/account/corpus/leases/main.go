// Command leases starts a goroutine for each lease, which waits for its end. The leases are never given back.
//
// planted: goroutine stacks, 62 MB
package main

import (
	"context"
	"runtime"
	"sync"

	"resident/stay"
)

type lease struct {
	id      int
	cancel  context.CancelFunc
	renewed [2]uint64
}

var (
	leases  = map[int]*lease{}
	started sync.WaitGroup
)

func (l *lease) watch(ctx context.Context) {
	var message [1200]byte
	copy(message[:], "lease ended")
	started.Done()
	<-ctx.Done()
	l.renewed[0] += uint64(stay.Touch(message[:]))
}

func grant(id int) {
	ctx, cancel := context.WithCancel(context.Background())
	l := &lease{id: id, cancel: cancel}
	leases[id] = l
	started.Add(1)
	go l.watch(ctx) // ends with the process
}

func main() {
	stay.Program{Plant: func() {
		for id := range 15_000 {
			grant(id)
		}
		started.Wait()
		runtime.GC()
	}}.Main()
}
