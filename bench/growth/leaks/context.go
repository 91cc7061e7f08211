package leaks

import (
	"context"
	"sync"
)

type pageKey struct{}

// chainedContext derives the context of each request from that of the one before.
func chainedContext(fixed bool) serve {
	var mu sync.Mutex
	last := context.Background()
	return func(_ context.Context, _ int, page []byte) {
		mu.Lock()
		defer mu.Unlock()
		from := last
		if fixed {
			from = context.Background()
		}
		last = context.WithValue(from, pageKey{}, page)
	}
}
