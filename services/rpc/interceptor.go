package rpc

import "context"

// Handler serves a decoded call: req and reply are pointers to messages. The reply of
// an error is ignored.
type Handler func(ctx context.Context, req any) (reply any, err error)

// Interceptor wraps the calls of a server: it may look at the call, refuse it, change
// the context or the reply, and calls next once at most. Of a call to an inline handler
// it must keep neither ctx nor req, and must not block.
type Interceptor func(ctx context.Context, path string, req any, next Handler) (reply any, err error)

// chain puts the interceptors around h, the first outermost; h itself if there are none.
func chain(all []Interceptor, path string, h Handler) Handler {
	for i := len(all) - 1; i >= 0; i-- {
		wrap, next := all[i], h
		h = func(ctx context.Context, req any) (any, error) { return wrap(ctx, path, req, next) }
	}
	return h
}

// Invoker makes a client's call.
type Invoker func(ctx context.Context, path string, req, reply any) error

// ClientInterceptor wraps the calls of a client. It may call next more than once, to
// try again. reply is nil for Send.
type ClientInterceptor func(ctx context.Context, path string, req, reply any, next Invoker) error

// chainClient puts the interceptors around call, the first outermost.
func chainClient(all []ClientInterceptor, call Invoker) Invoker {
	for i := len(all) - 1; i >= 0; i-- {
		wrap, next := all[i], call
		call = func(ctx context.Context, path string, req, reply any) error {
			return wrap(ctx, path, req, reply, next)
		}
	}
	return call
}
