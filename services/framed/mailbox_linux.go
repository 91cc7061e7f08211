package framed

import (
	"net"
	"sync"
	"sync/atomic"

	"github.com/gohone/hone/internal/sys/epoll"
)

// mailbox is how other goroutines reach a loop.
type mailbox struct {
	poller *epoll.Poller

	// posted is set while mail waits, so that a turn need not lock to find none.
	posted atomic.Bool

	mu       sync.Mutex
	arrivals []arrival
	orders   orders
	closed   bool
}

// orders is a set of what the reactor asks of a loop.
type orders uint8

const (
	orderSweep  orders = 1 << iota // end the connections that are idle or stalled
	orderFinish                    // end all, now and later, once what was read is answered
	orderAbort                     // close all as they are, now and later
	orderQuit                      // every connection has gone: end
)

// arrival is a connection that the server has admitted, and that is the loop's from
// here on.
type arrival struct {
	fd     int
	remote net.Addr
}

// hand gives the loop a connection. It must not come after orderQuit, which waits for
// all connections to go.
func (m *mailbox) hand(a arrival) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.arrivals = append(m.arrivals, a)
	m.wake()
}

// post gives the loop orders. A loop that has ended needs none.
func (m *mailbox) post(o orders) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	m.orders |= o
	m.wake()
}

// wake wakes the loop, once for all mail that it has not seen. The caller holds mu, so
// that the poller is not closed meanwhile.
func (m *mailbox) wake() {
	if !m.posted.Swap(true) {
		m.poller.Wake()
	}
}

// take returns the mail. arrivals are appended to buf.
func (m *mailbox) take(buf []arrival) ([]arrival, orders) {
	m.posted.Store(false) // before taking: mail that comes later sets it again
	m.mu.Lock()
	defer m.mu.Unlock()
	buf = append(buf, m.arrivals...)
	clear(m.arrivals)
	m.arrivals = m.arrivals[:0]
	o := m.orders
	m.orders = 0
	return buf, o
}

// readMail does what the mail says.
func (l *loop) readMail() {
	var o orders
	l.arrivals, o = l.take(l.arrivals[:0])
	for _, a := range l.arrivals {
		l.adopt(a)
	}
	clear(l.arrivals)
	if o&orderFinish != 0 {
		l.finishing = true
		l.each(l.finish)
	}
	if o&orderSweep != 0 {
		now := l.server.core.Now()
		l.each(func(i int32) { l.sweep(i, now) })
	}
	if o&orderAbort != 0 {
		l.aborting = true
	}
	if l.aborting {
		l.each(func(i int32) { l.drop(i, false) })
	}
	l.quitting = o&orderQuit != 0
}

// each runs do on every link that is there.
func (l *loop) each(do func(i int32)) {
	for i := range l.links {
		if l.links[i].state != vacant {
			do(int32(i))
		}
	}
}

// close closes the poller.
func (m *mailbox) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.poller.Close()
}
