package leaks

import (
	"context"
	"sync"
)

// syncMap notes requests in flight in a sync.Map, and does not delete them when they are done.
func syncMap(fixed bool) serve {
	var inFlight sync.Map
	return func(_ context.Context, id int, page []byte) {
		inFlight.Store(id, page)
		if fixed {
			inFlight.Delete(id)
		}
	}
}
