package library

import (
	"context"
	"slices"
	"sync"

	"github.com/prometheus/prometheus/promql"
)

// points are those that queries may still take. They are given in the order in which they
// were asked for, so that small queries do not keep a large one waiting for ever.
type points struct {
	mu      sync.Mutex
	left    int
	waiting []*waiter
}

type waiter struct {
	n     int
	given chan struct{}
}

func newPoints(n int) *points { return &points{left: n} }

// take waits until n points are left, or until the context is done.
func (p *points) take(ctx context.Context, n int) error {
	p.mu.Lock()
	w := &waiter{n: n, given: make(chan struct{})}
	p.waiting = append(p.waiting, w)
	p.give()
	p.mu.Unlock()
	select {
	case <-w.given:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.waiting, w)
	if i < 0 {
		return nil // given meanwhile
	}
	p.waiting = slices.Delete(p.waiting, i, i+1)
	p.give()
	return ctx.Err()
}

func (p *points) release(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left += n
	p.give()
}

// give serves those who wait, the first first.
func (p *points) give() {
	for len(p.waiting) > 0 && p.waiting[0].n <= p.left {
		p.left -= p.waiting[0].n
		close(p.waiting[0].given)
		p.waiting = p.waiting[1:]
	}
}

// admitted is a query that holds its points from Exec to Close.
type admitted struct {
	promql.Query
	points *points
	n      int
	held   bool
}

// Exec waits for the points, and evaluates.
func (q *admitted) Exec(ctx context.Context) *promql.Result {
	if err := q.points.take(ctx, q.n); err != nil {
		return &promql.Result{Err: promql.ErrQueryTimeout("query queue")}
	}
	q.held = true
	return q.Query.Exec(ctx)
}

// Close gives the points back.
func (q *admitted) Close() {
	q.Query.Close()
	if q.held {
		q.held = false
		q.points.release(q.n)
	}
}
