package rpc

import (
	"context"
	"sync/atomic"
)

// doorbell lets goroutines wait for something that others make true without a lock.
type doorbell struct {
	waiting atomic.Int32
	token   chan struct{} // capacity 1
}

func newDoorbell() doorbell { return doorbell{token: make(chan struct{}, 1)} }

// ring wakes one of those that wait; it is called after what they wait for may have
// become true. Its look at waiting and the steps of wait (count, then test) keep a waiting
// goroutine from missing it.
func (d *doorbell) ring() {
	if d.waiting.Load() == 0 {
		return
	}
	select {
	case d.token <- struct{}{}:
	default:
	}
}

// wait waits until ok is true, ctx ends, or gone is closed; over says that it was one of
// the latter.
func (d *doorbell) wait(ctx context.Context, gone <-chan struct{}, ok func() bool) (over bool) {
	d.waiting.Add(1)
	defer d.ring() // what is true for this one may be true for one more
	defer d.waiting.Add(-1)
	for !ok() {
		select {
		case <-d.token:
		case <-ctx.Done():
			return true
		case <-gone:
			return true
		}
	}
	return false
}
