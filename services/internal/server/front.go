package server

import (
	"context"
	"net"
)

// Front is what the users of a service's Server see of its Core. The Server embeds it.
type Front[S any] struct {
	stage S
	serve func(net.Listener) error
	core  interface {
		Serve(net.Listener, func(net.Listener) error) error
		Shutdown(context.Context) error
	}
}

// NewFront is the front of core, which serves with stage: serve answers the connections
// of a listener until that is closed.
func NewFront[S any, P Peer](core *Core[P], stage S, serve func(net.Listener) error) Front[S] {
	return Front[S]{stage, serve, core}
}

// Stage returns the stage that the server serves with.
func (f *Front[S]) Stage() S { return f.stage }

// Serve answers the connections of ln and owns ln from here on, also when it fails.
// It returns nil once Shutdown has begun, which the caller then waits for, and an
// error if accepting fails for another reason; connections that are there are served
// until Shutdown in either case.
func (f *Front[S]) Serve(ln net.Listener) error { return f.core.Serve(ln, f.serve) }

// Shutdown stops accepting, has every request answered that was read, and closes the
// connections, idle ones at once. Once ctx ends it waits no longer, closes those that
// are left as they are, and says so in its error. Every goroutine of the server has
// ended when it returns. A second call waits too.
func (f *Front[S]) Shutdown(ctx context.Context) error { return f.core.Shutdown(ctx) }
