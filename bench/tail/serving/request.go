package serving

import (
	"context"
	"math/rand/v2"
	"time"
)

// Causes is how many planted causes a service can stamp.
const Causes = 2

// Request is one request on its way through a handler.
type Request struct {
	causes [Causes]time.Duration
}

// Waited adds the time since began to what a planted cause took of this request; the causes count
// from 1, as their marks in the source do.
func (r *Request) Waited(cause int, began time.Time) { r.causes[cause-1] += time.Since(began) }

// Handler carries out one request. Its error is answered as the protocol has it.
type Handler func(ctx context.Context, r *Request) error

// Seldom is true for one request in 50: enough that the slowest percent are of these, too few to
// reach the typical ones.
func Seldom() bool { return rand.IntN(50) == 0 }

// Every calls do once in each period, on this goroutine, until ctx ends.
func Every(ctx context.Context, period time.Duration, do func(context.Context)) {
	t := time.NewTicker(period)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			do(ctx)
		}
	}
}
