package leaks

import (
	"context"
	"sync"
)

// sessionsMap remembers the page of each request in a map without eviction.
func sessionsMap(fixed bool) serve {
	var mu sync.Mutex
	sessions := map[int][]byte{}
	return func(_ context.Context, id int, page []byte) {
		mu.Lock()
		defer mu.Unlock()
		sessions[id] = page
		if fixed {
			delete(sessions, id-few)
		}
	}
}
