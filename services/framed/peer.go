package framed

import (
	"net"
	"sync/atomic"

	"github.com/gohone/hone/services/internal/server"
)

// peer is the server's end of one connection. A stage reads from it and writes to it
// on a goroutine of its own.
type peer struct {
	server.Base

	requests atomic.Uint64 // requests decoded
	read     atomic.Uint64 // bytes read
	written  atomic.Uint64 // bytes written
	writes   atomic.Uint64 // writes begun plus writes ended: odd while one is under way
}

func newPeer(conn net.Conn) *peer { return &peer{Base: server.Base{Conn: conn}} }

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

// State is what the watchdog goes by.
func (p *peer) State() server.State { return server.StateOf(p.requests.Load(), p.writes.Load()) }
