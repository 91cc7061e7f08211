package leaks

import (
	"context"
	"sync/atomic"
	"time"
)

// timers has each page expire an hour later, also when the request is long done.
func timers(fixed bool) serve {
	var expired atomic.Int64
	return func(_ context.Context, _ int, page []byte) {
		timer := time.AfterFunc(time.Hour, func() { expired.Add(int64(len(page))) })
		if fixed {
			timer.Stop()
		}
	}
}
