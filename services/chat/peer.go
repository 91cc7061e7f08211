package chat

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// peer is the server's end of one connection. A stage reads from it on a goroutine of
// its own; whoever has something for it writes to it. Neither knows of timeouts: the
// watchdog judges a connection by its counters and ends it through its deadlines, so
// that no system call has to pay for setting one.
type peer struct {
	net.Conn
	id   uint64 // number of the connection, from 1
	user string // for the log; belongs to the goroutine that reads

	requests   atomic.Uint64 // requests decoded
	refusals   atomic.Uint64 // those that were not accepted
	messages   atomic.Uint64 // messages accepted
	deliveries atomic.Uint64 // broadcasts that they became

	mu      sync.Mutex    // held during a write
	shut    bool          // nothing is written any more
	writing atomic.Int32  // writes under way, or waiting for one
	writes  atomic.Uint64 // writes that have ended

	cutFor atomic.Uint32 // the first cut's reason
	out    *outbox       // of the stage final; nil in others
	seen   pulse         // the watchdog's own
}

// Write writes b whole, and notes that it does. Several goroutines may write at a
// time: their bytes do not mix.
func (p *peer) Write(b []byte) (int, error) {
	p.writing.Add(1)
	defer p.writing.Add(-1)
	defer p.writes.Add(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shut {
		return 0, net.ErrClosed
	}
	return p.Conn.Write(b)
}

// finish waits until what is sent to the client is written, or the connection is cut,
// and lets nothing more be written. Without it an end could fall into somebody else's
// broadcast, and the client would see a torn frame.
func (p *peer) finish() {
	if p.out != nil {
		p.out.finish()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shut = true
}

// answered counts requests that have been decoded, refused of them without effect.
func (p *peer) answered(requests, refused int) {
	p.requests.Add(uint64(requests))
	if refused > 0 {
		p.refusals.Add(uint64(refused))
	}
}

// delivered counts messages and the broadcasts that they became.
func (p *peer) delivered(messages, broadcasts int) {
	p.messages.Add(uint64(messages))
	p.deliveries.Add(uint64(broadcasts))
}

// reason is why the server ends a connection that the client did not end.
type reason uint32

const (
	notCut      reason = iota
	cutIdle            // nothing accepted within IdleTimeout
	cutStalled         // one write took WriteTimeout
	cutSlow            // more waits for it than QueueBytes
	cutShutdown        // the server goes
)

var past = time.Unix(1, 0)

// cut makes the stage return soon. A blocked or later Read fails, while what was read
// still gets its ack. Only a client that does not read loses its writes too. The first
// reason stands.
func (p *peer) cut(why reason) {
	hard := why == cutStalled || why == cutSlow
	if !p.cutFor.CompareAndSwap(uint32(notCut), uint32(why)) && !hard {
		return
	}
	if hard {
		p.SetDeadline(past)
		return
	}
	p.SetReadDeadline(past)
}
