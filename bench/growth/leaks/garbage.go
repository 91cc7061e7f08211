package leaks

import (
	"context"
	"sync/atomic"
)

// garbage is a decoy: it allocates 64 KiB more for each request, and drops them.
func garbage(fixed bool) serve {
	var last atomic.Pointer[[]byte]
	return func(_ context.Context, _ int, page []byte) {
		if !fixed {
			page = append(make([]byte, 0, 64<<10), page...)
		}
		last.Store(&page)
	}
}
