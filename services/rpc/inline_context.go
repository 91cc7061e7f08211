package rpc

import (
	"context"
	"sync"
	"time"
)

// inlineContext is the context of an inline call. It costs nothing unless the handler
// looks into it, and is used again for the next call unless it did: then a goroutine may
// have kept it, and it must not become the context of another call.
type inlineContext struct {
	parent   context.Context
	deadline time.Time // zero if there is none
	env      *envelope // of the request; valid until the handler returns

	mu      sync.Mutex
	kept    bool            // the handler has looked into it
	timed   context.Context // parent with the deadline; nil until asked for
	cancel  context.CancelFunc
	carried *incoming // nil until asked for
}

var _ context.Context = (*inlineContext)(nil)

// Deadline implements context.Context.
func (c *inlineContext) Deadline() (time.Time, bool) { return c.deadline, !c.deadline.IsZero() }

// Done implements context.Context.
func (c *inlineContext) Done() <-chan struct{} { return c.whole().Done() }

// Err implements context.Context.
func (c *inlineContext) Err() error { return c.whole().Err() }

// Value implements context.Context.
func (c *inlineContext) Value(key any) any {
	if key != any(incomingKey{}) {
		return c.whole().Value(key)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = true
	if c.carried == nil {
		c.carried = &incoming{request: c.env.metadata()}
	}
	return c.carried
}

// whole is the context as package context would have made it.
func (c *inlineContext) whole() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = true
	if c.deadline.IsZero() {
		return c.parent
	}
	if c.timed == nil {
		c.timed, c.cancel = context.WithDeadline(c.parent, c.deadline)
	}
	return c.timed
}

// end ends the call and returns the metadata of its reply, and whether the context may
// be used again.
func (c *inlineContext) end() (reply Metadata, again bool) {
	if !c.kept {
		return nil, true
	}
	if c.cancel != nil {
		c.cancel()
	}
	if c.carried != nil {
		reply = c.carried.reply
	}
	return reply, false
}
