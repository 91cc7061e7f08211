package leaks

import (
	"context"
	"crypto/sha256"
	"sync"
)

// workers is a decoy: it hands the parts of a page to goroutines, and waits for their end.
func workers(fixed bool) serve {
	return func(_ context.Context, _ int, page []byte) {
		if fixed {
			return
		}
		var all sync.WaitGroup
		for part := range 4 {
			all.Go(func() {
				sum := sha256.Sum256(page[256*part : 256*(part+1)])
				copy(page[256*part:], sum[:])
			})
		}
		all.Wait()
	}
}
