package rpc

import (
	"errors"
	"io"
	"net"
	"os"
	"time"
)

// The third rung. Few connections carry the calls of all callers, many outstanding on
// each. Both sides read as much as has come with one read, decode every whole frame of
// it where it lies, and write what there is to be written with one write. Envelope and
// argument are encoded and decoded by hand, unless they are of an unusual form.
//
// The server runs inline handlers one after the other on the goroutine that reads the
// connection, and writes their answers together. Every other handler has a goroutine, so
// that it may block, and its answer leaves when it is ready: answers are matched by
// stream id, not by order.
//
// A CPU profile shows what the calls themselves need: on the client mostly parking and
// waking callers, on the server the handlers. Nothing is allocated for an inline call.

// servePipelined serves each connection with a pipe.
func servePipelined(s *Server, ln net.Listener) error {
	return s.eachPeer(ln, func(p *peer) error {
		c := newPipe(p)
		err := c.run()
		if _, bad := errors.AsType[*FrameError](err); !bad && !endsInOrder(err) {
			p.over() // no client is left to answer
		}
		c.gate.wait()
		return err
	})
}

// endsInOrder says whether a connection whose read ended with err still takes answers:
// the client ended its side, or the server stopped reading.
func endsInOrder(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, os.ErrDeadlineExceeded)
}

// pipe is the server's end of one pipelined connection. Its reader's goroutine owns all
// but out and gate.
type pipe struct {
	*peer
	in   inbox
	out  *outbox
	gate *gate

	batch  []byte    // answers of the last read that were not sent yet
	now    time.Time // of the last read, once it was needed
	env    envelope  // of the frame in hand
	front  front     // of the last ones
	inline *inlineContext
}

// maxBatch is how many bytes of answers are collected at most before they are sent,
// beside the last one of them. It exceeds what a full inbox of small calls is answered
// with.
const maxBatch = 128 << 10

func newPipe(p *peer) *pipe {
	cfg := &p.server.cfg
	return &pipe{
		peer: p,
		in:   inbox{limit: cfg.MaxBody},
		out:  newOutbox(p),
		gate: newGate(cfg.MaxCalls, 2*cfg.MaxBody),
	}
}

// run serves the connection until it fails or ends.
func (c *pipe) run() error {
	for {
		readErr := c.in.fill(c.peer)
		c.now = time.Time{}
		frameErr := c.serveAll()
		if err := c.flush(); err != nil {
			return err
		}
		if frameErr != nil {
			return frameErr
		}
		if readErr != nil {
			return readErr
		}
	}
}

// serveAll serves every whole frame that was read.
func (c *pipe) serveAll() error {
	for frames := uint64(0); ; frames++ {
		h, body, ok, err := c.in.next()
		if !ok {
			c.frames.Add(frames)
			return err
		}
		if len(c.batch) >= maxBatch {
			if err := c.flush(); err != nil {
				return err
			}
		}
		c.serve(h, body)
	}
}

// flush sends the answers so far.
func (c *pipe) flush() error {
	if len(c.batch) == 0 {
		return nil
	}
	err := c.out.send(c.batch)
	c.batch = c.batch[:0]
	if cap(c.batch) > 2*maxBatch {
		c.batch = nil
	}
	return err
}

// serve serves one frame.
func (c *pipe) serve(h Header, body []byte) {
	if h.Kind == KindHeartbeat {
		c.batch = AppendHeader(c.batch, Header{Kind: KindHeartbeat, Mode: h.Mode, Stream: h.Stream})
		return
	}
	m, timeout, err := c.decode(h, body)
	switch {
	case err != nil:
		c.batch = appendAnswer(c.batch, h, err.response())
	case m.inline:
		c.serveInline(h, m, timeout)
	default:
		c.serveApart(h, m, timeout)
	}
}

// noTimeout stands for a call without an end.
const noTimeout = time.Duration(-1)

// decode decodes the request into c.env and finds what is to be called.
func (c *pipe) decode(h Header, body []byte) (*method, time.Duration, *Error) {
	if e := refusal(h); e != nil {
		return nil, 0, e
	}
	if payload, again := c.front.match(body); again {
		c.env.take(&c.front.env, payload)
		return c.front.method, c.front.timeout, nil
	}
	if c.env.decodeRequest(body) != nil {
		return nil, 0, errEnvelope
	}
	timeout := noTimeout
	if value, ok := c.env.lookup(TimeoutKey); ok {
		var err error
		if timeout, err = parseTimeout(value); err != nil {
			return nil, 0, asError(err)
		}
	}
	m, e := c.server.find(c.env.text)
	if e == nil && c.front.worthLearning() {
		c.front.learn(body, c.env.payload, m, timeout)
	}
	return m, timeout, e
}

// deadline is the end of a call that was read just now. The clock is read once for all
// calls of one read.
func (c *pipe) deadline(timeout time.Duration) time.Time {
	if timeout == noTimeout {
		return time.Time{}
	}
	if c.now.IsZero() {
		c.now = time.Now()
	}
	return c.now.Add(timeout)
}

// appendAnswer appends r to dst as a frame; nothing if no answer is wanted.
func appendAnswer(dst []byte, h Header, r *Response) []byte {
	if h.Mode == ModeSendOnly {
		return dst
	}
	at := len(dst)
	dst = AppendResponse(AppendHeader(dst, Header{Mode: h.Mode, Stream: h.Stream}), r)
	setLength(dst[at:])
	return dst
}
