package rpc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// link is the client's end of one pipelined connection. Callers encode into a shared
// buffer; a writer sends it, a reader hands out the answers.
type link struct {
	cfg  *ClientConfig
	conn net.Conn
	tick *atomic.Uint32 // the client's clock

	slots  []slot        // a power of two of them
	cursor atomic.Uint32 // where to look for a free one next
	busy   atomic.Int32  // slots that are not free
	lost   atomic.Int32  // slots whose calls gave up
	vacant doorbell      // a slot may be free
	short  doorbell      // out may have room

	mu    sync.Mutex
	out   []byte   // requests that are not written yet
	spare []byte   // memory for the next out
	usual struct { // what stands before the payload of a call of path, with that much time left
		path string
		left time.Duration
		raw  []byte
	}
	order order // of the requests, as long as it may matter
	awake bool  // the writer knows that there is something in out
	err   error // why the connection ended

	wake chan struct{} // capacity 1: has the writer look at out
	gone chan struct{} // closed with err set
	dead atomic.Bool   // err is set

	numbered bool // as in order; the reader's own

	reads  atomic.Uint32 // reads that brought something
	pulse  heartbeat     // the clock's own
	owners sync.WaitGroup
}

// Errors that end a connection.
var (
	errSilent       = errors.New("connection lost: no answer to a heartbeat")
	errUnresponsive = errors.New("connection lost: too many calls without an answer")
)

// newLink takes over conn. Its two goroutines end with the connection.
func newLink(cfg *ClientConfig, conn net.Conn, tick *atomic.Uint32) *link {
	l := &link{
		cfg: cfg, conn: conn, tick: tick,
		slots:  make([]slot, cfg.Window),
		vacant: newDoorbell(), short: newDoorbell(),
		wake: make(chan struct{}, 1),
		gone: make(chan struct{}),
	}
	for i := range l.slots {
		l.slots[i].done = make(chan struct{}, 1)
	}
	l.owners.Go(l.write)
	l.owners.Go(func() {
		l.kill(fmt.Errorf("connection lost: %w", l.read()))
		l.failAll()
	})
	return l
}

// kill ends the connection; the first reason stands.
func (l *link) kill(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return
	}
	l.err = why
	l.dead.Store(true)
	close(l.gone)
	l.conn.Close()
}

// failAll ends the calls that wait, after kill: later calls see err.
func (l *link) failAll() {
	for i := range l.slots {
		if s := &l.slots[i]; s.swap(slotWaiting, slotFailed) {
			s.done <- struct{}{}
		}
	}
}

// read hands out answers until the connection ends, and says why it did.
func (l *link) read() error {
	in := inbox{limit: l.cfg.MaxBody}
	for {
		readErr := in.fill(l.conn)
		if in.end > in.start {
			l.reads.Add(1)
		}
		for {
			h, body, ok, err := in.next()
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			if h, err = l.identify(h); err != nil {
				return err
			}
			if err := l.answer(h, body); err != nil {
				return err
			}
		}
		if readErr != nil {
			return readErr
		}
	}
}

// answer gives an answer to the call that waits for it. The body is copied: the caller
// decodes it on its own goroutine.
func (l *link) answer(h Header, body []byte) error {
	index := int(h.Stream) & (len(l.slots) - 1)
	s := &l.slots[index]
	for {
		was := s.state.Load()
		if stream(index, was, len(l.slots)) != h.Stream || kindOf(was) != h.Kind {
			return unsolicited(h)
		}
		switch phase := was & slotPhase; phase {
		case slotWaiting, slotExpired:
			s.buf = append(s.buf[:0], body...)
			if !s.state.CompareAndSwap(was, to(was, slotAnswered)) {
				continue
			}
			if phase == slotWaiting { // one that expired has its token
				s.done <- struct{}{}
			}
			return nil
		case slotAbandoned:
			l.lost.Add(-1)
			l.free(s)
			return nil
		default:
			return unsolicited(h)
		}
	}
}

// unsolicited judges an answer that no call waits for. Of heartbeats there are some: those
// that the clock sends have no slot.
func unsolicited(h Header) error {
	if h.Kind == KindHeartbeat {
		return nil
	}
	return fmt.Errorf("answer to no request, stream id %d", h.Stream)
}

// write sends what callers have encoded. Before each write it yields for as long as callers
// that are ready add requests to it. Once is not enough: the scheduler looks at those who
// yield after 61 others (runtime.schedule), and a write for every 61 of 500 callers made a
// call cost a sixth more.
func (l *link) write() {
	for {
		select {
		case <-l.wake:
		case <-l.gone:
			return
		}
		for {
			l.gather()
			batch := l.takeOut()
			if len(batch) == 0 {
				break
			}
			if _, err := l.conn.Write(batch); err != nil {
				l.kill(fmt.Errorf("connection lost: %w", err))
				return
			}
		}
	}
}

// gathered is how many bytes are worth a write of their own: the kernel takes more in parts.
const gathered = 64 << 10

// gather returns when no caller that is ready has anything to add to what is to be written,
// or when that is much.
func (l *link) gather() {
	for before := -1; ; {
		runtime.Gosched()
		l.mu.Lock()
		n := len(l.out)
		l.mu.Unlock()
		if n == before || n >= gathered {
			return
		}
		before = n
	}
}

// takeOut takes all that is to be written; nothing puts the writer to sleep.
func (l *link) takeOut() []byte {
	l.mu.Lock()
	batch := l.out
	if len(batch) == 0 {
		l.awake = false
		l.mu.Unlock()
		return nil
	}
	l.out = l.spare[:0]
	l.spare = batch // not touched before the next takeOut, which follows the write
	if cap(batch) > maxQueued {
		l.spare = nil
	}
	l.mu.Unlock()
	l.short.ring()
	return batch
}

// reserve takes a slot, and waits for one if there is none.
func (l *link) reserve(ctx context.Context, kind Kind) (*slot, int, error) {
	if !l.enter() {
		if err := l.waitFor(ctx, &l.vacant, l.enter); err != nil {
			return nil, 0, err
		}
	}
	for {
		// There is a free slot: busy counts this call already.
		index := int(l.cursor.Add(1)) & (len(l.slots) - 1)
		if s := &l.slots[index]; s.reserve(kind) {
			return s, index, nil
		}
	}
}

// enter counts one more busy slot, if there is room.
func (l *link) enter() bool {
	for {
		n := l.busy.Load()
		if int(n) == len(l.slots) {
			return false
		}
		if l.busy.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// free gives a slot back. Its state goes first: enter promises a slot that is free.
func (l *link) free(s *slot) {
	if cap(s.buf) > keptSlot {
		s.buf = nil
	}
	s.move(slotFree)
	l.busy.Add(-1)
	l.vacant.ring()
}

// waitFor waits until ok is true, by d. It bounds a wait without an end by the timeout.
func (l *link) waitFor(ctx context.Context, d *doorbell, ok func() bool) error {
	ctx, cancel := withTimeout(ctx, l.cfg.Timeout)
	defer cancel()
	switch {
	case !d.wait(ctx, l.gone, ok):
		return nil
	case l.dead.Load():
		return errNotSent
	}
	return fmt.Errorf("wait for room among %d outstanding calls: %w", len(l.slots), context.Cause(ctx))
}

func (l *link) lostErr() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// heartbeat is what the clock knows of a connection.
type heartbeat struct {
	reads uint32    // when it last looked
	heard time.Time // when reads last changed, or a heartbeat was sent
	asked bool
}

// beat looks after the connection at now, for the client's clock: it ends calls whose
// time is up, sends a heartbeat, and ends a connection that does not answer.
func (l *link) beat(now time.Time) {
	tick := l.tick.Load()
	for i := range l.slots {
		s := &l.slots[i]
		was := s.state.Load()
		if was&slotPhase != slotWaiting {
			continue
		}
		// If the slot went on to another use, the swap fails.
		if e := s.expiry.Load(); e != 0 && int32(tick-e) >= 0 && s.state.CompareAndSwap(was, to(was, slotExpired)) {
			s.done <- struct{}{}
		}
	}
	p := &l.pulse
	switch reads := l.reads.Load(); {
	case reads != p.reads || p.heard.IsZero():
		*p = heartbeat{reads: reads, heard: now}
	case now.Sub(p.heard) < l.cfg.Heartbeat:
	case p.asked:
		l.kill(errSilent)
	default:
		p.asked, p.heard = true, now
		l.ask(p)
	}
}

// ask sends a heartbeat, unless the server has none. Its answer is good for being read, and
// belongs to no slot.
func (l *link) ask(p *heartbeat) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.order.needed { // it has no heartbeats
		p.asked = false
		return
	}
	l.out = AppendHeader(l.out, Header{Kind: KindHeartbeat})
	l.order.push(noSlot)
	l.rouse()
}

// rouse has the writer look at out; the caller holds mu.
func (l *link) rouse() {
	if !l.awake {
		l.awake = true
		l.wake <- struct{}{} // there is room: the writer took the last one
	}
}
