package leaks

import (
	"context"
	"sync"
)

// cached are the pages that the cache has room for: it is full after so many requests, within the first second.
const cached = 2000

// boundedCache is a decoy: its cache fills, and then stays as large as it is.
func boundedCache(fixed bool) serve {
	var mu sync.Mutex
	var pages [cached][]byte
	return func(_ context.Context, id int, page []byte) {
		if fixed {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		pages[id%cached] = page
	}
}
