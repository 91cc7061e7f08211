package rpc

import (
	"context"
	"net"
	"sync/atomic"
	"time"
)

// peer is the server's end of one connection. A stage reads from it and writes to it
// and knows nothing of timeouts: the watchdog judges a connection by its counters and
// ends it through its deadlines, so that no call has to pay for setting one.
type peer struct {
	net.Conn
	server *Server

	// ctx is the parent of the calls' contexts; over ends it with the connection.
	ctx  context.Context
	over context.CancelFunc

	frames atomic.Uint64 // whole frames read
	writes atomic.Uint64 // writes begun plus writes ended: odd while one is under way
	calls  atomic.Int64  // calls in handlers

	cutFor atomic.Uint32 // the first cut's reason

	seen pulse // the watchdog's own
}

// Write writes b and counts it. Writes never overlap.
func (p *peer) Write(b []byte) (int, error) {
	p.writes.Add(1)
	n, err := p.Conn.Write(b)
	p.writes.Add(1)
	return n, err
}

// reason is why the server ends a connection that the client did not end.
type reason uint32

const (
	notCut      reason = iota
	cutIdle            // no frame within IdleTimeout
	cutStalled         // one write took WriteTimeout
	cutShutdown        // the server goes
)

var past = time.Unix(1, 0)

// cut makes the stage return soon. A blocked or later Read fails, while answers can
// still be written: what was read gets its answer. Only a stalled connection loses
// its writes too, and its calls their contexts. The first reason stands.
func (p *peer) cut(why reason) {
	if !p.cutFor.CompareAndSwap(uint32(notCut), uint32(why)) && why != cutStalled {
		return
	}
	if why == cutStalled {
		p.cutFor.Store(uint32(cutStalled)) // also if a shutdown came before
		p.over()
		p.SetDeadline(past)
		return
	}
	p.SetReadDeadline(past)
}
