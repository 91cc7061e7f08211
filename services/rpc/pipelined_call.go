package rpc

import "time"

// How the pipelined server runs handlers and frames their replies.

// serveInline runs an inline handler and adds its answer to the batch.
func (c *pipe) serveInline(h Header, m *method, timeout time.Duration) {
	if c.inline == nil {
		c.inline = &inlineContext{parent: c.ctx, env: &c.env}
	}
	c.inline.deadline = c.deadline(timeout)
	at := len(c.batch)
	out, err := c.server.invoke(c.inline, m, fastCodec{}, c.env.payload, beginAnswer(c.batch, h))
	reply, again := c.inline.end()
	if !again {
		c.inline = nil
	}
	c.batch = c.finish(out, at, h, reply, err)
}

// serveApart runs a handler on a goroutine of its own, which ends with the handler; the
// connection does not end before. If too many are under way it waits for one to end.
func (c *pipe) serveApart(h Header, m *method, timeout time.Duration) {
	payload := append([]byte(nil), c.env.payload...)
	in := &incoming{request: c.env.metadata()}
	deadline := c.deadline(timeout)
	if !c.gate.tryEnter(len(payload)) {
		c.flush() // those who wait for these answers must not wait for handlers; an error shows at the next flush
		c.gate.enter(len(payload))
	}
	c.calls.Add(1)
	go func() {
		defer c.gate.leave(len(payload))
		defer c.calls.Add(-1)
		if h.Mode != ModeSendOnly && c.out.waitForRoom() != nil {
			return // there is no client to answer
		}
		ctx, cancel := c.callContext(in, deadline)
		defer cancel()
		out, err := c.server.invoke(ctx, m, fastCodec{}, payload, beginAnswer(nil, h))
		if frame := c.finish(out, 0, h, in.reply, err); len(frame) > 0 {
			c.out.sendTogether(frame) // an error shows at the reader's next flush, or the client is gone
		}
	}()
}

// beginAnswer appends what stands before the reply's bytes if all goes well and the
// reply is shorter than 128 bytes, so that it can be encoded where it is sent from.
func beginAnswer(dst []byte, h Header) []byte {
	dst = AppendHeader(dst, Header{Mode: h.Mode, Stream: h.Stream})
	return append(dst, fieldPayload<<3|wireBytes, 0)
}

// replyAt is where the reply begins behind beginAnswer.
const replyAt = HeaderSize + 2

// finish makes the frame that begins at out[at:], by beginAnswer, and is followed by the
// reply, into a whole answer: or removes it, if no answer is wanted.
func (c *pipe) finish(out []byte, at int, h Header, metadata Metadata, err error) []byte {
	if h.Mode == ModeSendOnly {
		return out[:at]
	}
	switch {
	case err != nil:
		r := asError(err).response()
		r.Metadata = metadata
		out = appendAnswer(out[:at], h, r)
	case len(metadata) > 0:
		payload := append([]byte(nil), out[at+replyAt:]...)
		out = appendAnswer(out[:at], h, &Response{Metadata: metadata, Payload: payload})
	default:
		out = framePayload(out, at)
	}
	if limit := c.server.cfg.MaxBody; len(out)-at-HeaderSize > limit {
		return appendAnswer(out[:at], h, errTooLarge(limit).response())
	}
	return out
}

// framePayload puts the lengths in place.
func framePayload(out []byte, at int) []byte {
	switch size := len(out) - at - replyAt; {
	case size == 0:
		out = out[:at+HeaderSize] // an empty field is left out
	case size < 0x80:
		out[at+replyAt-1] = byte(size)
	default:
		var length [10]byte
		n := len(appendVarint(length[:0], uint64(size)))
		out = append(out, length[1:n]...) // room for the length's further bytes
		copy(out[at+replyAt-1+n:], out[at+replyAt:at+replyAt+size])
		copy(out[at+replyAt-1:], length[:n])
	}
	setLength(out[at:])
	return out
}
