package chat

import (
	"log/slog"
	"net"
	"sync"
	"sync/atomic"

	"github.com/gohone/hone/services/internal/server"
)

// peer is the server's end of one connection. A stage reads from it on a goroutine of
// its own; the goroutines of other connections write their broadcasts to it.
type peer struct {
	server.Base
	id   uint64 // number of the connection, from 1
	user string // for the log; belongs to the goroutine that reads

	accepted   atomic.Uint64 // requests that were accepted
	refusals   atomic.Uint64 // those that were not
	messages   atomic.Uint64 // messages accepted
	deliveries atomic.Uint64 // broadcasts that they became

	mu      sync.Mutex    // held during a write
	shut    bool          // nothing is written any more
	writing atomic.Int32  // writes under way, or waiting for one
	writes  atomic.Uint64 // writes that have ended

	out *outbox // of the stage final; nil in others
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
// and lets nothing more be written. Without it an end could fall into another user's
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
	if requests > refused {
		p.accepted.Add(uint64(requests - refused))
	}
	if refused > 0 {
		p.refusals.Add(uint64(refused))
	}
}

// delivered counts messages and the broadcasts that they became.
func (p *peer) delivered(messages, broadcasts int) {
	p.messages.Add(uint64(messages))
	p.deliveries.Add(uint64(broadcasts))
}

// Attrs names the connection in the log.
func (p *peer) Attrs() []slog.Attr {
	return []slog.Attr{slog.Uint64("conn", p.id), slog.String("user", p.user)}
}

// State is what the watchdog goes by. A client is stalled if a write has been under way, and
// none has ended, for a while. It is idle if no request was accepted: broadcasts that it is
// sent do not count, nor do requests that are refused.
func (p *peer) State() server.State {
	return server.State{
		Progress: p.accepted.Load(), // no difference of two counters, between which a request could come
		Writing:  p.writing.Load() > 0,
		Writes:   p.writes.Load(),
	}
}
