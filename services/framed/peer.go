package framed

import (
	"net"
	"sync/atomic"
	"time"
)

// peer is the server's end of one connection. A stage reads from it and writes to it
// on a goroutine of its own and knows nothing of timeouts: the watchdog judges a
// connection by its counters and ends it through its deadlines, so that no system
// call has to pay for setting one.
type peer struct {
	net.Conn

	requests atomic.Uint64 // requests decoded
	read     atomic.Uint64 // bytes read
	written  atomic.Uint64 // bytes written
	writes   atomic.Uint64 // writes begun plus writes ended: odd while one is under way

	cutFor atomic.Uint32 // the first cut's reason

	seen pulse // the watchdog's own
}

// received counts requests. A stage calls it before it answers them.
func (p *peer) received(n int) { p.requests.Add(uint64(n)) }

// Read reads into b and counts it.
func (p *peer) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	p.read.Add(uint64(n))
	return n, err
}

// Write writes b and counts it.
func (p *peer) Write(b []byte) (int, error) {
	p.writes.Add(1)
	n, err := p.Conn.Write(b)
	p.written.Add(uint64(n))
	p.writes.Add(1)
	return n, err
}

// reason is why the server ends a connection that the client did not end.
type reason uint32

const (
	notCut      reason = iota
	cutIdle            // no request within IdleTimeout
	cutStalled         // one write took WriteTimeout
	cutShutdown        // the server goes
)

var past = time.Unix(1, 0)

// cut makes the stage return soon. A blocked or later Read fails, while answers can
// still be written: what was read gets its answer. Only a stalled connection loses
// its writes too. The first reason stands.
func (p *peer) cut(why reason) {
	if !p.cutFor.CompareAndSwap(uint32(notCut), uint32(why)) && why != cutStalled {
		return
	}
	if why == cutStalled {
		p.SetDeadline(past)
		return
	}
	p.SetReadDeadline(past)
}
