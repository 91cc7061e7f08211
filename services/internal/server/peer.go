package server

import (
	"log/slog"
	"net"
	"sync/atomic"
	"time"
)

// Peer is the server's end of one connection that has a goroutine. A service's own type
// embeds Base. A stage reads from it and writes to it and knows nothing of timeouts: the
// watchdog judges a connection by its counters and ends it through its deadlines, so that
// no system call has to pay for setting one.
type Peer interface {
	comparable
	base() *Base
	// State says what the counters say now. It must not wait.
	State() State
	// Cut makes the stage return soon.
	Cut(Reason)
	// Close closes the connection as it is.
	Close() error
	// Attrs is who it is, for the log, beside the address.
	Attrs() []slog.Attr
}

// Base is what every Peer has.
type Base struct {
	net.Conn
	cutFor atomic.Uint32 // a Reason
	seen   Pulse         // the watchdog's own
}

func (b *Base) base() *Base { return b }

// State is that of a connection whose stage keeps the timeouts by itself.
func (b *Base) State() State { return State{Busy: true} }

// Attrs is empty.
func (b *Base) Attrs() []slog.Attr { return nil }

// Reason is why the server ends a connection that the client did not end.
type Reason uint32

// The reasons.
const (
	NotCut   Reason = iota
	Idle            // no request within Timeouts.Idle
	Stalled         // one write took Timeouts.Write
	Slow            // the client does not keep up with what it is sent
	Shutdown        // the server goes
)

// resets says that the client does not read: nothing more can be written to it.
func (r Reason) resets() bool { return r == Stalled || r == Slow }

var past = time.Unix(1, 0)

// Cut makes the stage return soon. A blocked or later Read fails, while answers can still
// be written: what was read gets its answer. Only a client that does not read loses its
// writes too. The first reason stands, unless the client turns out not to read.
func (b *Base) Cut(why Reason) {
	first := b.cutFor.CompareAndSwap(uint32(NotCut), uint32(why))
	switch {
	case why.resets():
		if !Reason(b.cutFor.Load()).resets() {
			b.cutFor.Store(uint32(why))
		}
		b.SetDeadline(past)
	case first:
		b.SetReadDeadline(past)
	}
}

// Go runs serve, which may read from p and write to it, on a goroutine that is the Core's.
// It ends with the connection, which Shutdown ends. serve closes p and says how it ended.
func (c *Core[P]) Go(p P, serve func(P) Ending) {
	c.mu.Lock()
	c.peers[p] = struct{}{}
	if c.Closing() { // it was admitted just before
		p.Cut(Shutdown)
	}
	if c.aborted {
		p.Close()
	}
	c.mu.Unlock()
	go func() {
		e := serve(p)
		c.mu.Lock()
		delete(c.peers, p)
		if c.opts.Retire != nil {
			c.opts.Retire(p)
		}
		c.leave(e)
		c.mu.Unlock()
		c.live.Done()
	}()
}
