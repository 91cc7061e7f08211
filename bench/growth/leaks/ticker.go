package leaks

import (
	"context"
	"sync/atomic"
	"time"
)

// tickers refreshes each page once a minute, also when the request is done.
func tickers(fixed bool) serve {
	var refreshed atomic.Int64
	return func(_ context.Context, _ int, page []byte) {
		ticker, done := time.NewTicker(time.Minute), make(chan struct{})
		go func() { // ends with done, which only the fixed service closes
			for {
				select {
				case <-ticker.C:
					refreshed.Add(int64(len(page)))
				case <-done:
					return
				}
			}
		}()
		if fixed {
			ticker.Stop()
			close(done)
		}
	}
}
