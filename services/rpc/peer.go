package rpc

import (
	"context"
	"net"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/services/internal/server"
)

// peer is the server's end of one connection.
type peer struct {
	server.Base
	server *Server

	// ctx is the parent of the calls' contexts; over ends it with the connection.
	ctx  context.Context
	over context.CancelFunc

	frames atomic.Uint64 // whole frames read
	writes atomic.Uint64 // writes begun plus writes ended: odd while one is under way
	calls  atomic.Int64  // calls in handlers
}

func newPeer(s *Server, conn net.Conn) *peer {
	p := &peer{Base: server.Base{Conn: conn}, server: s}
	p.ctx, p.over = context.WithCancel(context.Background())
	return p
}

// Write writes b and counts it. Writes never overlap.
func (p *peer) Write(b []byte) (int, error) {
	p.writes.Add(1)
	n, err := p.Conn.Write(b)
	p.writes.Add(1)
	return n, err
}

// State is what the watchdog goes by. A connection is idle if no write is under way, no
// whole frame comes and no handler is at work for it.
func (p *peer) State() server.State {
	s := server.StateOf(p.frames.Load(), p.writes.Load())
	s.Busy = s.Busy || p.calls.Load() > 0
	return s
}

// past is a deadline that interrupts what is under way.
var past = time.Unix(1, 0)

// Cut makes the stage return soon. The calls of a client that does not read lose their
// contexts, too.
func (p *peer) Cut(why server.Reason) {
	if why == server.Stalled {
		p.over()
	}
	p.Base.Cut(why)
}

// Close closes the connection and ends the contexts of its calls.
func (p *peer) Close() error {
	p.over()
	return p.Base.Close()
}
