package rpc

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// One call on a link.

// errNotSent means that the connection had ended before the call was on it.
var errNotSent = errors.New("connection ended before the call")

// call makes one call. timeoutTicks is the client's timeout on its clock.
func (l *link) call(ctx context.Context, c *call, timeoutTicks uint32) error {
	s, index, err := l.reserve(ctx, c.kind)
	if err != nil {
		return err
	}
	if err := l.encode(s, c); err != nil {
		return err
	}
	if err := l.post(ctx, s, index, c, timeoutTicks); err != nil {
		l.free(s)
		return err
	}
	if c.mode == ModeSendOnly {
		l.free(s)
		return nil
	}
	if err := l.wait(ctx, s); err != nil {
		return err
	}
	return l.settle(ctx, s, c)
}

// encode encodes the argument into the slot's buffer, outside of any lock: it is the
// message's own code that runs here.
func (l *link) encode(s *slot, c *call) (err error) {
	if c.kind == KindHeartbeat {
		return nil
	}
	encoded := false
	defer func() {
		if !encoded { // an error, or a panic in the message's code
			l.free(s)
		}
	}()
	if s.buf, err = (fastCodec{}).append(s.buf[:0], c.req); err != nil {
		return fmt.Errorf("encode argument: %w", err)
	}
	encoded = true
	return nil
}

// post appends the request to what is to be written. From then on the slot waits, unless
// no answer is wanted.
func (l *link) post(ctx context.Context, s *slot, index int, c *call, timeoutTicks uint32) error {
	metadata, left := sentMetadata(ctx), l.cfg.Timeout
	expiry := uint32(0)
	if _, ends := ctx.Deadline(); ends {
		var err error
		if left, err = timeLeft(ctx); err != nil {
			return err
		}
	} else {
		expiry = max(1, l.tick.Load()+timeoutTicks)
	}
	if metadata != nil {
		if err := checkKeys(metadata); err != nil {
			return err
		}
		metadata = metadata.withTimeout(left)
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.out) >= maxQueued && l.err == nil {
		if err := l.waitForQueue(ctx); err != nil {
			return err
		}
	}
	if l.err != nil {
		return errNotSent
	}
	state := s.state.Load()
	at := len(l.out)
	l.out = AppendHeader(l.out, Header{Kind: c.kind, Mode: c.mode, Stream: stream(index, state, len(l.slots))})
	if c.kind == KindRequest {
		l.appendRequest(c.path, metadata, left, s.buf)
		setLength(l.out[at:])
		if err := checkRequestSize(len(l.out)-at-HeaderSize, l.cfg.MaxBody); err != nil {
			l.out = l.out[:at]
			return err
		}
	}
	if c.mode != ModeSendOnly {
		s.expiry.Store(expiry)
		s.state.Store(to(state, slotWaiting))
		l.order.push(index)
	} else {
		l.order.push(noAnswer)
	}
	l.rouse()
	return nil
}

// appendRequest appends the envelope; metadata, if there is any, has the timeout in it.
// What stands before the payload is the same for most calls, and kept.
func (l *link) appendRequest(path string, metadata Metadata, left time.Duration, payload []byte) {
	switch {
	case metadata != nil:
		l.out = appendMetadata(appendBytes(l.out, fieldText, path), metadata)
	case path == l.usual.path && left == l.usual.left:
		l.out = append(l.out, l.usual.raw...)
	default:
		at := len(l.out)
		var digits [20]byte
		l.out = appendEntry(appendBytes(l.out, fieldText, path), TimeoutKey, appendTimeout(digits[:0], left))
		if left == l.cfg.Timeout { // that of a context is another one each time
			l.usual.path, l.usual.left, l.usual.raw = path, left, append(l.usual.raw[:0], l.out[at:]...)
		}
	}
	l.out = appendBytes(l.out, fieldPayload, payload)
}

// waitForQueue waits until the queue is short; the caller holds mu.
func (l *link) waitForQueue(ctx context.Context) error {
	l.mu.Unlock()
	defer l.mu.Lock()
	short := func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.out) < maxQueued
	}
	return l.waitFor(ctx, &l.short, short)
}

// wait waits until the call is answered. With any other end the slot is not the
// caller's any more.
func (l *link) wait(ctx context.Context, s *slot) error {
	if done := ctx.Done(); done == nil {
		<-s.done
	} else {
		select {
		case <-s.done:
		case <-done:
			if s.swap(slotWaiting, slotAbandoned) {
				return l.giveUp(context.Cause(ctx))
			}
			<-s.done // something else came first
		}
	}
	switch s.state.Load() & slotPhase {
	case slotFailed:
		return l.lostErr()
	case slotExpired:
		if s.swap(slotExpired, slotAbandoned) {
			return l.giveUp(fmt.Errorf("no answer within %v: %w", l.cfg.Timeout, context.DeadlineExceeded))
		}
	}
	return nil
}

// giveUp counts a call that was abandoned. A server that owes answers to half of the
// window is as good as gone.
func (l *link) giveUp(why error) error {
	if int(l.lost.Add(1)) > len(l.slots)/2 {
		l.kill(errUnresponsive)
	}
	return why
}

// settle decodes the answer, which lies in the slot, and frees the slot.
func (l *link) settle(ctx context.Context, s *slot, c *call) error {
	defer l.free(s)
	if c.kind == KindHeartbeat {
		return nil
	}
	var e envelope
	if err := e.decodeResponse(s.buf); err != nil {
		return err
	}
	return c.take(ctx, &e, fastCodec{})
}
