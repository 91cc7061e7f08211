package leaks

import (
	"context"
	"sync"
)

// registry has functions that are called when the settings of the service change.
type registry struct {
	mu        sync.Mutex
	callbacks map[int]func() int
}

func (r *registry) register(id int, callback func() int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.callbacks[id] = callback
}

func (r *registry) unregister(id int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.callbacks, id)
}

// callbacks registers a function for each request, and leaves it registered.
func callbacks(fixed bool) serve {
	r := registry{callbacks: map[int]func() int{}}
	return func(_ context.Context, id int, page []byte) {
		r.register(id, func() int { return len(page) })
		if fixed {
			r.unregister(id)
		}
	}
}
