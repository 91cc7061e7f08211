package rpc

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// call is what a client's call is made of. naive and pooled encode and decode it with the
// libraries.
type call struct {
	kind       Kind
	mode       Mode
	path       string
	req, reply any
	maxBody    int
}

// withTimeout gives ctx the client's timeout if it has no end of its own.
func withTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, d)
}

// frame appends the request to dst. ctx has a deadline.
func (c *call) frame(ctx context.Context, dst []byte, stream uint16) ([]byte, error) {
	h := Header{Kind: c.kind, Mode: c.mode, Stream: stream}
	if c.kind == KindHeartbeat {
		return AppendHeader(dst, h), nil
	}
	payload, err := libraryCodec{}.append(nil, c.req)
	if err != nil {
		return dst, fmt.Errorf("encode argument: %w", err)
	}
	left, err := timeLeft(ctx)
	if err != nil {
		return dst, err
	}
	r := Request{ServicePath: c.path, Metadata: sentMetadata(ctx).withTimeout(left), Payload: payload}
	at := len(dst)
	if dst, err = (libraryEnvelope{}).appendRequest(AppendHeader(dst, h), &r); err != nil {
		return dst, err
	}
	setLength(dst[at:])
	return dst, checkRequestSize(len(dst)-at-HeaderSize, c.maxBody)
}

// settle decodes the answer's body.
func (c *call) settle(ctx context.Context, body []byte) error {
	if c.kind == KindHeartbeat || c.mode == ModeSendOnly {
		return nil
	}
	var e envelope
	if err := e.decodeResponseByLibrary(body); err != nil {
		return err
	}
	return c.take(ctx, &e, libraryCodec{})
}

// take gives the caller what the answer e says.
func (c *call) take(ctx context.Context, e *envelope, by codec) error {
	if into, ok := ctx.Value(capturedKey{}).(*Metadata); ok {
		*into = e.metadata()
	}
	if Code(e.code) != CodeOK {
		return &Error{Code: Code(e.code), Message: string(e.text)}
	}
	if err := by.decode(e.payload, c.reply); err != nil {
		return fmt.Errorf("decode reply: %w", err)
	}
	return nil
}

// timeLeft is how long ctx, which has a deadline, still is to go.
func timeLeft(ctx context.Context) (time.Duration, error) {
	end, _ := ctx.Deadline()
	left := time.Until(end)
	if left <= 0 {
		return 0, cmp.Or(context.Cause(ctx), context.DeadlineExceeded)
	}
	return left, nil
}

func checkRequestSize(size, limit int) error {
	if size > limit {
		return fmt.Errorf("request has %d bytes, want at most %d", size, limit)
	}
	return nil
}
