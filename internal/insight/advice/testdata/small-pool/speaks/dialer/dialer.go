// Package dialer keeps connections open and lends them.
package dialer

import "context"

// Group is some connections.
type Group[T any] struct{ free chan T }

// Open opens n.
func Open[T any](n int, open func() (T, error)) (*Group[T], error) {
	g := &Group[T]{free: make(chan T, n)}
	for range n {
		one, err := open()
		if err != nil {
			return nil, err
		}
		g.free <- one
	}
	return g, nil
}

// Take lends one that is free. It waits for one.
func (g *Group[T]) Take(ctx context.Context) (one T, err error) {
	select {
	case one = <-g.free: // want: small-pool
		return one, nil
	case <-ctx.Done():
		return one, context.Cause(ctx)
	}
}

// Give takes one back.
func (g *Group[T]) Give(one T) { g.free <- one }
