package chat

import (
	"sync"
	"syscall"

	"github.com/gohone/hone/services/internal/server"
)

// outbox is what is on its way to one client of the stage final. Nearly always the
// socket takes what is sent at once, straight from the sender's memory. What it does
// not take is copied into a queue, which a goroutine of its own writes while there is
// one; a queue over its bound means that the client does not keep up, and is reset.
type outbox struct {
	server *Server
	peer   *peer
	raw    syscall.RawConn       // nil: the connection is not a socket
	try    func(fd uintptr) bool // writeNow, made once

	mu      sync.Mutex
	now     []byte        // what writeNow is to write
	taken   int           // how much of it the socket took
	failed  bool          // whether the socket takes nothing ever again
	queue   []byte        // what waits, without what is being written
	queued  int           // with it
	writing chan struct{} // closed when the queue is empty; nil: no goroutine writes it
	shut    bool          // nothing is taken any more
}

func newOutbox(s *Server, p *peer) *outbox {
	o := &outbox{server: s, peer: p, raw: rawOf(p.Conn)}
	o.try = o.writeNow
	return o
}

// send sends b, whole frames, in order with what was sent before. It does not wait and
// does not keep b. What is sent to a client that is gone is lost, as it would be in the
// network.
func (o *outbox) send(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.shut {
		return
	}
	if o.queued == 0 && o.raw != nil {
		b = b[o.attempt(b):]
		if len(b) == 0 {
			return
		}
		if o.failed {
			o.shut = true // the reader will see why
			return
		}
	}
	o.enqueue(b)
}

// attempt writes what of b the socket takes at once.
func (o *outbox) attempt(b []byte) int {
	o.now, o.taken = b, 0
	if err := o.raw.Write(o.try); err != nil {
		o.failed = true
	}
	o.now = nil
	return o.taken
}

// writeNow is called once for an attempt, and never waits.
func (o *outbox) writeNow(fd uintptr) bool {
	n, err := tryWrite(fd, o.now)
	o.taken, o.failed = n, err != nil
	return true
}

// enqueue has b written later, or resets the client.
func (o *outbox) enqueue(b []byte) {
	if o.queued+len(b) > o.server.cfg.QueueBytes || !o.server.reserve(len(b)) {
		o.drop()
		o.peer.Cut(server.Slow)
		return
	}
	o.queue = append(o.queue, b...)
	o.queued += len(b)
	if o.writing == nil {
		o.writing = make(chan struct{})
		go o.drain(o.writing) // ends with the queue or the connection; finish waits for it
	}
}

// reserve books n bytes in the queues of all clients, if there is room for them.
func (s *Server) reserve(n int) bool {
	if s.queued.Add(int64(n)) <= s.cfg.QueueTotalBytes {
		return true
	}
	s.queued.Add(-int64(n))
	return false
}

// drop takes nothing more and forgets what waits, but for what is being written.
func (o *outbox) drop() {
	o.shut = true
	o.settle(len(o.queue))
	o.queue = nil
}

// settle takes n bytes off the books.
func (o *outbox) settle(n int) {
	o.queued -= n
	o.server.queued.Add(-int64(n))
}

// drain writes the queue until it is empty, and closes done.
func (o *outbox) drain(done chan struct{}) {
	defer close(done)
	for {
		b := o.next()
		if b == nil {
			return
		}
		_, err := o.peer.Write(b)
		o.wrote(len(b), err)
	}
}

// next takes the queue to be written. nil: it is empty, and no goroutine
// writes it from now on.
func (o *outbox) next() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	b := o.queue
	o.queue = nil
	if b == nil {
		o.writing = nil
	}
	return b
}

func (o *outbox) wrote(n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.settle(n)
	if err != nil {
		o.drop()
	}
}

// finish takes nothing more and waits until what was sent is written, or the
// connection is cut.
func (o *outbox) finish() {
	o.mu.Lock()
	o.shut = true
	writing := o.writing
	o.mu.Unlock()
	if writing != nil {
		<-writing
	}
}
