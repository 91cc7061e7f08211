package leaks

import (
	"context"
	"sync"
)

type buffer [64 << 10]byte

// pooled is a decoy: it takes a buffer for each request from a pool, where the fixed service has one on its stack or allocates it.
func pooled(fixed bool) serve {
	pool := sync.Pool{New: func() any { return new(buffer) }}
	return func(_ context.Context, _ int, page []byte) {
		if fixed {
			copy(new(buffer)[:], page)
			return
		}
		b := pool.Get().(*buffer)
		copy(b[:], page)
		pool.Put(b)
	}
}
