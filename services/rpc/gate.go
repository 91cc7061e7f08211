package rpc

import "sync"

// gate bounds the calls of one connection that are in handlers: their number and the
// bytes that they hold.
type gate struct {
	maxCalls, maxBytes int

	mu    sync.Mutex
	left  sync.Cond // a call has left; its lock is mu
	calls int
	bytes int
}

func newGate(maxCalls, maxBytes int) *gate {
	g := &gate{maxCalls: maxCalls, maxBytes: maxBytes}
	g.left.L = &g.mu
	return g
}

// tryEnter admits a call that holds so many bytes, unless the gate is full.
func (g *gate) tryEnter(bytes int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.admit(bytes)
}

// enter waits until the call may enter.
func (g *gate) enter(bytes int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for !g.admit(bytes) {
		g.left.Wait()
	}
}

// admit lets a single call in, whatever it holds.
func (g *gate) admit(bytes int) bool {
	if g.calls > 0 && (g.calls >= g.maxCalls || g.bytes+bytes > g.maxBytes) {
		return false
	}
	g.calls++
	g.bytes += bytes
	return true
}

func (g *gate) leave(bytes int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls--
	g.bytes -= bytes
	g.left.Broadcast()
}

// wait waits until no call is in.
func (g *gate) wait() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.calls > 0 {
		g.left.Wait()
	}
}
