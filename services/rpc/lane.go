package rpc

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"
)

// lane is a client's connection for one call at a time, as naive and pooled have it. It
// belongs to one caller at a time.
type lane struct {
	conn  net.Conn
	read  func(dst []byte) (Header, []byte, error)
	write func(frame []byte) error

	stream  uint16    // of the last call
	strict  bool      // answers must have stream ids: one had, or a call without an answer was made
	used    time.Time // the end of the last call
	in, out []byte    // memory of frames, for stages that use it again
}

// call makes c's call. The lane is sound as long as it has answered all that it was
// asked: after a call that timed out, the late answer would meet another call.
func (l *lane) call(ctx context.Context, c *call) (sound bool, err error) {
	l.stream++
	frame, err := c.frame(ctx, l.out[:0], l.stream)
	if err != nil {
		return true, err
	}
	l.out = kept(frame)
	// A ctx that ends interrupts the exchange by a deadline that has passed.
	stop := context.AfterFunc(ctx, func() { l.conn.SetDeadline(past) })
	body, err := l.exchange(c, frame)
	if !stop() {
		if err == nil {
			return false, c.settle(ctx, body)
		}
		return false, context.Cause(ctx)
	}
	if err != nil {
		return false, err
	}
	return true, c.settle(ctx, body)
}

// exchange writes frame and reads the answer's body, if there is to be one.
func (l *lane) exchange(c *call, frame []byte) ([]byte, error) {
	if err := l.write(frame); err != nil {
		return nil, fmt.Errorf("send request: %w", err)
	}
	if c.mode == ModeSendOnly {
		l.strict = true
		return nil, nil
	}
	h, body, err := l.read(l.in[:0])
	if err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	l.in = kept(body)
	if !l.strict && unnumbered(h) {
		return body, nil // one call at a time: it is the answer to this one
	}
	if h.Kind != c.kind || h.Stream != l.stream {
		return nil, fmt.Errorf("answer is kind %d of stream %d, want %d of %d", h.Kind, h.Stream, c.kind, l.stream)
	}
	l.strict = true
	return body, nil
}

// kept is the memory of a frame that is used again: none if it is large.
func kept(b []byte) []byte {
	if cap(b) > keptBuffer {
		return nil
	}
	return b
}

// lanes are all connections of a client, in use or not, so that it can close them.
type lanes struct {
	mu     sync.Mutex
	live   map[*lane]struct{}
	closed bool
}

// dial connects. The caller sets read and write.
func (a *lanes) dial(ctx context.Context, cfg *ClientConfig) (*lane, error) {
	conn, err := cfg.dial(ctx)
	if err != nil {
		return nil, err
	}
	l := &lane{conn: conn}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		conn.Close()
		return nil, ErrClosed
	}
	if a.live == nil {
		a.live = make(map[*lane]struct{})
	}
	a.live[l] = struct{}{}
	return l, nil
}

// drop closes l.
func (a *lanes) drop(l *lane) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.live, l)
	l.conn.Close()
}

// close closes all, and those that are being dialled.
func (a *lanes) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	for l := range a.live {
		l.conn.Close()
	}
}
