package ws

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"sync"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
)

// greeting is what the server sends on a connection before the first request. It would be taken for the
// answer to the first request, and each answer for that to the next one.
//
// A connection sends a ping after the upgrade. A server that greets does so before it reads, mostly, so that its
// greeting comes before the pong (RFC 6455 section 5.5.3). For one that greets from another goroutine the first
// connection listens for a moment longer, and the others wait for as many messages as that one had.
type greeting struct {
	mu       sync.Mutex
	known    bool // the first connection is open
	expected int  // messages that it had
	silent   bool // it had no pong: pings are left out
	messages uint64
}

const (
	// greetingPong is how long the first connection waits for a pong, greetingRest how long each listens after it: a
	// goroutine that greets runs in that time also on a busy machine.
	greetingPong = time.Second
	greetingRest = 25 * time.Millisecond
	// greetingLate is how long the others wait for a message that the first connection had.
	greetingLate = 250 * time.Millisecond
)

// read takes the greeting off a connection. Control frames that are due go out.
func (g *greeting) read(ctx context.Context, c net.Conn, closed func(code uint16)) error {
	r := &greeted{ctx: ctx, conn: c, closed: closed}
	r.end, _ = ctx.Deadline()
	defer context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })()
	g.mu.Lock()
	first, expected, silent := !g.known, g.expected, g.silent
	if first {
		defer g.mu.Unlock() // the others wait for what is learnt here
	} else {
		g.mu.Unlock()
	}
	if !silent {
		if _, err := c.Write(appendFrame(nil, opPing, []byte("hone"), rand.Uint32())); err != nil {
			return fmt.Errorf("ask for a pong: %w", err)
		}
		if err := r.until(time.Now().Add(greetingPong), func() bool { return r.pong }); err != nil {
			return err
		}
	}
	rest := greetingLate
	if first {
		expected, rest = 1<<30, greetingRest
	}
	if err := r.until(time.Now().Add(rest), func() bool { return r.messages >= expected }); err != nil {
		return err
	}
	if !first {
		g.mu.Lock()
		defer g.mu.Unlock()
	} else {
		g.known, g.expected, g.silent = true, r.messages, !r.pong
	}
	g.messages += uint64(r.messages)
	return c.SetDeadline(time.Time{})
}

// note is a sentence, or nothing.
func (g *greeting) note() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.messages == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s that the server sent on connections before their first request are left out, as a greeting", units.Plural(int(g.messages), "message"))}
}

// greeted reads frames off a connection, and no byte after them.
type greeted struct {
	ctx      context.Context
	conn     net.Conn
	end      time.Time // of the connect; zero for none
	closed   func(code uint16)
	messages int
	begun    bool // a fragment of a message has come, and not the last
	pong     bool
}

// until reads whole messages until done says so, or the time is over.
func (r *greeted) until(limit time.Time, done func() bool) error {
	if !r.end.IsZero() && r.end.Before(limit) {
		limit = r.end
	}
	for r.begun || !done() {
		wait := limit
		if r.begun {
			wait = r.end
		}
		if err := r.deadline(wait); err != nil {
			return err
		}
		var head [14]byte
		_, err := io.ReadFull(r.conn, head[:1])
		switch {
		case err != nil && !r.begun && errors.Is(err, os.ErrDeadlineExceeded) && limit != r.end:
			return nil
		case err != nil:
			return fmt.Errorf("wait for a greeting: %w", err)
		}
		if err := r.deadline(r.end); err != nil {
			return err
		}
		if err := r.frame(head[:]); err != nil {
			return err
		}
	}
	return nil
}

// deadline sets that of the next read. The end of ctx sets another, which this must not undo.
func (r *greeted) deadline(at time.Time) error {
	_ = r.conn.SetReadDeadline(at)
	return r.ctx.Err()
}

// frame reads what follows the first byte of a frame.
func (r *greeted) frame(head []byte) error {
	var f frame
	for have := 1; ; have++ {
		var ok bool
		var size int
		if f, size, ok = readFrame(head[:have]); !ok {
			return fail.New(fail.Subject, "the server greets with bytes that are not a frame of WebSocket")
		}
		if size > 0 {
			break
		}
		if _, err := io.ReadFull(r.conn, head[have:have+1]); err != nil {
			return fmt.Errorf("read a greeting: %w", err)
		}
	}
	if f.opcode < opClose {
		if r.begun = !f.final; f.final {
			r.messages++
		}
		_, err := io.CopyN(io.Discard, r.conn, int64(f.length))
		return err
	}
	payload := make([]byte, f.length) // of a control frame: 125 bytes at most
	if _, err := io.ReadFull(r.conn, payload); err != nil {
		return fmt.Errorf("read a greeting: %w", err)
	}
	switch f.opcode {
	case opPong:
		r.pong = true
	case opPing:
		_, err := r.conn.Write(appendFrame(nil, opPong, payload, rand.Uint32()))
		return err
	case opClose:
		code := uint16(1005)
		if len(payload) >= 2 {
			code = uint16(payload[0])<<8 | uint16(payload[1])
		}
		r.closed(code)
		return fail.New(fail.Subject, "the server closed the connection with %d (%s) before the first request", code,
			closeName(code)).
			WithHint("look at its log for the reason; it may want credentials: -H 'Authorization: ...'")
	}
	return nil
}
