package tlsidle

import (
	"crypto/tls"
	"errors"
	"sync"
	"time"
)

const (
	// maxHandshakes is how many handshakes run at a time. Each has a goroutine with a
	// stack that has grown, and several times what a connection keeps on the heap. More
	// would be no faster, since a handshake is work for the processor.
	maxHandshakes = 256
	// patience is how long a handshake may wait for its client while others wait for its
	// place: two retransmissions (RFC 6298: 1 s, then 2 s), or a client that is itself
	// short of processor time.
	patience = int64(3 * time.Second)
)

// handshakes are those under way and those that wait for a place. A connection comes
// here with the first byte that its client sends; one that sends none takes no place.
type handshakes struct {
	mu      sync.Mutex
	active  int
	waiting list
	begun   uint64
}

// handshake is what a connection has beside itself while its handshake is under way.
type handshake struct {
	wake chan struct{}
	// Under the connection's mu:
	waits int64 // since when it waits for its client, 0 if it does not
	cut   error // why it has to end
}

// Errors that end a handshake from outside.
var (
	errHandshakeSlow = errors.New("handshake timeout")
	errMadeRoom      = errors.New("made room for other handshakes")
	errDismissed     = errors.New("server is shutting down")
)

// enter begins p's handshake or has it wait; under p.mu, in the phase queued.
func (h *handshakes) enter(p *parked) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.begun++
	if h.active == maxHandshakes {
		h.waiting.push(p)
		return
	}
	h.active++
	p.begin()
}

// begin begins p's handshake; under p.mu.
func (p *parked) begin() {
	p.hs = &handshake{wake: make(chan struct{}, 1)}
	p.phase = shaking
	p.again = false
	go p.shake() // ends with the handshake, which lot.watch and shutdown end
}

// leave gives a place back, to the next who waits for one.
func (h *handshakes) leave() {
	for {
		h.mu.Lock()
		p := h.waiting.pop()
		if p == nil {
			h.active--
			h.mu.Unlock()
			return
		}
		h.mu.Unlock()
		if p.startQueued() {
			return
		}
	}
}

// startQueued begins the handshake of a connection that waited, unless it has gone
// meanwhile.
func (p *parked) startQueued() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.phase != queued {
		return false
	}
	p.begin()
	return true
}

// othersWait says whether connections wait for a place.
func (h *handshakes) othersWait() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.waiting.head != nil
}

// shake is the handshake's goroutine.
func (p *parked) shake() {
	p.tls = tls.Server(p, p.lot.s.tls)
	err := p.tls.Handshake()
	p.mu.Lock()
	if p.hs.cut != nil {
		err = p.hs.cut
	}
	p.hs = nil
	p.phase = working
	p.mu.Unlock()
	p.lot.handshakes.leave()

	switch {
	case err == nil:
		p.lot.s.tally.handshakes.Add(1)
		p.lot.ready.push(p) // a request may have come with the last of the handshake
	case errors.Is(err, errDismissed):
		p.lot.end(p, nil)
	case errors.Is(err, errHandshakeSlow), errors.Is(err, errMadeRoom):
		p.lot.end(p, &fault{CauseHandshakeSlow, err})
	default:
		p.lot.end(p, &fault{CauseHandshake, err})
	}
}

// awaitClient waits until something has come for a handshake.
func (p *parked) awaitClient() error {
	if err := p.flush(); err != nil {
		return err
	}
	p.mu.Lock()
	if p.again || p.hs.cut != nil {
		p.again = false
		defer p.mu.Unlock()
		return p.hs.cut
	}
	p.hs.waits = p.lot.now()
	p.mu.Unlock()
	<-p.hs.wake
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hs.waits = 0
	p.again = false
	return p.hs.cut
}

// notify wakes the handshake if it waits.
func (h *handshake) notify() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// stop ends a handshake; under the connection's mu. The first reason stands.
func (h *handshake) stop(why error) {
	if h.cut == nil {
		h.cut = why
	}
	h.notify()
}
