package rpc

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"unicode/utf8"
)

// Client calls a server. It is safe for concurrent use.
type Client struct {
	cfg       ClientConfig
	transport transport
	invoke    Invoker // through the interceptors, as send
	send      Invoker
	closed    atomic.Bool
}

// transport makes a stage's calls.
type transport interface {
	// call makes one call and returns when it is over. Errors say what went wrong, not
	// which call.
	call(ctx context.Context, c call) error
	// close ends all connections and the calls on them.
	close()
}

// ErrClosed means that the client was closed.
var ErrClosed = errors.New("client is closed")

// NewClient checks cfg and returns a client that dials when it is first called.
func NewClient(cfg ClientConfig) (*Client, error) {
	stage, err := cfg.fill()
	if err != nil {
		return nil, fmt.Errorf("configure rpc client: %w", err)
	}
	c := &Client{cfg: cfg}
	c.transport = stage.connect(&c.cfg)
	c.invoke = chainClient(cfg.Interceptors, func(ctx context.Context, path string, req, reply any) error {
		return c.do(ctx, "call", call{path: path, req: req, reply: reply})
	})
	c.send = chainClient(cfg.Interceptors, func(ctx context.Context, path string, req, _ any) error {
		return c.do(ctx, "send", call{path: path, req: req, mode: ModeSendOnly})
	})
	return c, nil
}

// Call calls path with req and fills reply; both are pointers to messages, and neither
// is touched once Call returns. It ends with ctx, or after the client's timeout if ctx
// has no deadline: then the error is context.DeadlineExceeded. An answer with a code is
// an *Error.
func (c *Client) Call(ctx context.Context, path string, req, reply any) error {
	return c.invoke(ctx, path, req, reply)
}

// Send has path called with req and waits for no answer: there will be none, whatever
// becomes of the call. It returns once the request was handed to the connection.
func (c *Client) Send(ctx context.Context, path string, req any) error {
	return c.send(ctx, path, req, nil)
}

// Ping sends a heartbeat on one of the connections and waits for the answer.
func (c *Client) Ping(ctx context.Context) error {
	return c.do(ctx, "ping", call{kind: KindHeartbeat})
}

func (c *Client) do(ctx context.Context, what string, one call) error {
	one.maxBody = c.cfg.MaxBody
	err := c.attempt(ctx, one)
	if err == nil {
		return nil
	}
	if c.closed.Load() && !errors.Is(err, ErrClosed) {
		err = fmt.Errorf("%w: %w", ErrClosed, err)
	}
	if one.path != "" {
		what += " " + one.path
	}
	return fmt.Errorf("%s: %w", what, err)
}

func (c *Client) attempt(ctx context.Context, one call) error {
	if c.closed.Load() {
		return ErrClosed
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !utf8.ValidString(one.path) {
		return fmt.Errorf("service path %q is not UTF-8", one.path)
	}
	return c.transport.call(ctx, one)
}

// Close closes the connections; calls under way fail with ErrClosed, or whatever they
// see of it. Every goroutine of the client has ended when it returns. A second call
// does nothing.
func (c *Client) Close() {
	if c.closed.CompareAndSwap(false, true) {
		c.transport.close()
	}
}
