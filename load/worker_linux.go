package load

import (
	"fmt"
	"net"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/sys/epoll"
	"github.com/gohone/hone/internal/sys/tlsmem"
)

// worker is the event loop: one locked thread that owns a shard and its sockets and
// shares nothing but the mailbox.
type worker struct {
	*shard
	mailbox
	poller *epoll.Poller
	socks  []sock // by link
	redial func(e engine, link int, wait time.Duration)

	// in and out are shared by all connections; ends and dues belong to out. now is the time
	// of the last read of the clock.
	in, out []byte
	ends    []int
	dues    []int64
	now     int64
	busy    int // events in the last batch
	// later are the connections that still have something to read and wait for their next turn: epoll tells of new
	// bytes only. turnEnds is when this turn has taken its time; 0 until its first read.
	later    []epoll.Token
	turnEnds int64
	// plain and sealed are in and out of TLS connections: what records held, and records.
	plain, sealed []byte
	// posted is set while mail waits, so that a turn need not lock to find none.
	posted atomic.Bool
	ending bool
	// fine says that the thread's sleeps end on time. That makes every sleep a little
	// dearer (2 % of a request), so a closed loop goes without.
	fine bool
}

// sock is the system's side of a link.
type sock struct {
	fd int
	// generation counts the connections of the link.
	generation int32
	// blocked: a write found no room, EPOLLOUT will say when there is.
	blocked bool
	// mute: the peer takes no more bytes. What it still sends is read to its end.
	mute bool
	// left: it is one of worker.later; hup then says that its end is near.
	left, hup bool
	// tls is nil for a plain socket. part is the front of a record that is not whole yet.
	tls  *tlsmem.Conn
	part []byte
}

// inSize holds the answers that one read brings. 64 kB is more than a loopback
// socket delivers in one go in practice; larger answers make it grow.
const inSize = 64 << 10

// maxEvents is how many events one look at epoll takes at most.
const maxEvents = 256

// eventLoopTakes says whether the event loop can drive these connections: TCP and Unix
// sockets, whose descriptors it can own, plain or with TLS over memory.
func eventLoopTakes(conns []net.Conn) bool {
	for _, c := range conns {
		if s, ok := c.(*tlsmem.Conn); ok {
			c = s.Socket()
		}
		switch c.(type) {
		case *net.TCPConn, *net.UnixConn:
		default:
			return false
		}
	}
	return true
}

// startEventLoop starts a worker over the connections of set.
func startEventLoop(set setup) (engine, error) {
	p, err := epoll.New(min(len(set.conns)+1, maxEvents))
	if err != nil {
		return nil, err
	}
	w := &worker{
		shard: set.shard, poller: p, socks: make([]sock, len(set.conns)),
		redial: set.redial, in: make([]byte, inSize),
	}
	w.cpu, w.threads = epoll.ThreadCPU, 1
	w.wake = func() {
		w.posted.Store(true)
		p.Wake()
	}
	w.now = w.clock()
	for i, c := range set.conns {
		if err := w.adopt(i, c); err != nil {
			w.release()
			return nil, fmt.Errorf("take over connection %d: %w", w.links[i].num, err)
		}
	}
	pinned := make(chan error)
	// The goroutine ends on mailQuit. It never unlocks its thread, which therefore
	// ends with it and takes the CPU pinning along.
	go func() {
		runtime.LockOSThread()
		if set.cpu >= 0 {
			if err := epoll.Pin(set.cpu); err != nil {
				w.release()
				pinned <- err
				return
			}
		}
		pinned <- nil
		defer set.ended()
		for !w.ending {
			w.turn()
		}
	}()
	if err := <-pinned; err != nil {
		return nil, err
	}
	return w, nil
}

func (w *worker) silent() bool { return w.shard.silent.Load() }

// adopt takes a connection over from Go's network poller, which would otherwise
// wake for every event as well: it keeps a duplicate of the descriptor and closes
// the original.
func (w *worker) adopt(i int, c net.Conn) error {
	secure, ok := c.(*tlsmem.Conn)
	if ok {
		c = secure.Detach()
	}
	defer c.Close()
	fd, err := epoll.Duplicate(c.(syscall.Conn))
	if err != nil {
		return err
	}
	k := &w.socks[i]
	*k = sock{fd: fd, generation: k.generation + 1, tls: secure, part: k.part[:0]}
	if err := w.poller.Watch(fd, token(i, k), false); err != nil {
		unix.Close(fd)
		return err
	}
	l := w.links[i]
	w.connect(l, w.now)
	if l.control != nil {
		w.flush(i) // it may have to speak before any request
	}
	return nil
}

// turn handles one batch of events, or sleeps until there are some.
//
// It must stay a real call with a stack check: apart from sleeping, the loop is made
// of raw system calls, in which the runtime cannot stop a goroutine. Without a
// function prologue on the way a garbage collection would wait forever.
//
//go:noinline
func (w *worker) turn() {
	before := w.phase
	w.turnEnds = 0
	events := w.await()
	w.goOn()
	for i := range events {
		w.handle(&events[i])
		if w.pacer != nil { // what is due does not wait for the rest of the batch
			w.dispatch()
		}
	}
	w.busy = len(events)
	if w.posted.Load() {
		w.now = w.clock()
		w.read()
	}
	if w.pacer != nil {
		w.now = w.clock()
		w.dispatch()
	}
	if w.now >= w.expireAt {
		w.expire(w.now, w.drop)
	}
	w.step(w.now)
	if before != idle && w.phase == idle {
		// The goroutine that waits for the report is next in line for the processor that this thread
		// holds, and would keep during a system call until the runtime's monitor comes by,
		// up to 10 ms later.
		runtime.Gosched()
	}
}

// dispatch sends the requests that are due on the links that are ready.
func (w *worker) dispatch() {
	for l := w.claim(w.now); l != nil; l = w.claim(w.now) {
		w.flushDue(l)
		w.now = w.clock()
	}
}

// fewEvents is the size of a batch after which the next is as likely as not to find
// nothing: asking first would cost a system call (0.2 us) to save the bookkeeping of
// one that may block (0.05 us).
const fewEvents = 4

// await returns the next events, or none when it is time for step.
func (w *worker) await() []epoll.Event {
	if len(w.later) > 0 {
		return w.poller.Poll()
	}
	if w.busy > fewEvents {
		if events := w.poller.Poll(); len(events) > 0 {
			return events
		}
	}
	patience := w.patience()
	var events []epoll.Event
	switch {
	case w.pacer == nil:
		events = w.poller.Doze(patience)
	case patience > 0 && patience <= spinFor:
		return w.spinOnce()
	case patience > 0:
		events = w.poller.Sleep(patience - spinFor) // a sleep ends late by about that
	default:
		events = w.poller.Sleep(patience)
	}
	if len(events) == 0 {
		w.now = w.clock() // else the first read sets it
	}
	return events
}

// spinFor is how long an open loop waits for the next due moment without sleeping:
// about what a thread takes to wake up.
const spinFor = 10 * time.Microsecond

// spinOnce looks for events without sleeping, and counts the time as spent waiting
// where there are none.
func (w *worker) spinOnce() []epoll.Event {
	events := w.poller.Poll()
	if len(events) == 0 {
		now := w.clock()
		w.spin += now - w.now
		w.now = now
	}
	return events
}

// patience is how long the loop may sleep, from the last read of the clock, which is
// as old as the batch just handled.
func (w *worker) patience() time.Duration {
	at := w.wakeAt()
	if at == 0 {
		return -1
	}
	return time.Duration(max(0, at-w.now))
}

func (w *worker) handle(e *epoll.Event) {
	t := e.Token()
	if t.Link == epoll.WakeLink {
		return
	}
	i := int(t.Link)
	k := &w.socks[i]
	if !w.links[i].up || k.generation != t.Generation {
		return // closed earlier in this batch
	}
	if k.blocked && e.Room() {
		k.blocked = false
	}
	if k.left || w.turnOver() {
		w.leave(i, e.Hangup())
		return
	}
	w.serve(i, e.Hangup())
}

// token is what tells the events of connection i from those of the ones before it.
func token(i int, k *sock) epoll.Token {
	return epoll.Token{Link: int32(i), Generation: k.generation}
}

// serve reads what connection i has, settles the answers and writes the requests
// that replace them. A read that does not fill the buffer has drained the socket:
// what comes later is a new edge. hup says that the end of the stream is near, and
// then only the end is the end. A socket that is not drained in time is left for later.
func (w *worker) serve(i int, hup bool) {
	l, k := w.links[i], &w.socks[i]
	for ends := int64(0); ; {
		have := copy(w.in, w.kept(l, k))
		n, errno := epoll.Recv(k.fd, w.in[have:])
		if errno == syscall.EINTR {
			continue
		}
		w.now = w.clock()
		if ends == 0 {
			ends = w.stay()
		}
		if errno == syscall.EAGAIN {
			w.flush(i)
			w.offer(l, w.now)
			return
		}
		if errno != 0 {
			w.drop(i, causeOf(errno))
			return
		}
		full := have+n == len(w.in)
		w.BytesReceived += uint64(n)
		in, ended, cause := w.in[:have+n], n == 0, Closed
		if k.tls != nil {
			in, ended, cause = w.unseal(l, k, in, ended)
		}
		rest, closed := w.receive(l, in, ended && cause == Closed, w.now)
		if closed || ended {
			if closed {
				cause = Closed
			}
			w.drop(i, cause)
			return
		}
		l.rest = append(l.rest[:0], rest...)
		if len(rest) >= len(w.in) && !w.widen(l, k) {
			w.drop(i, Closed)
			return
		}
		if w.spent(l) {
			w.drop(i, Closed)
			return
		}
		w.flush(i)
		if !l.up || !full && !hup && !k.mute {
			w.offer(l, w.now)
			return
		}
		if w.now >= ends {
			w.leave(i, hup)
			w.offer(l, w.now)
			return
		}
	}
}

// widen makes room for an answer larger than the buffer; false if it is larger than
// any may be. The buffer of a TLS connection's plaintext grows by itself.
func (w *worker) widen(l *link, k *sock) bool {
	if len(l.rest) >= maxAnswer {
		w.settle(l, Answer{Seq: l.sent.tail, Cause: Malformed}, w.now)
		return false
	}
	if k.tls == nil {
		w.in = make([]byte, 2*len(w.in))
	}
	return true
}

// flush writes what connection i has waiting and the requests it has room for, in
// one write.
func (w *worker) flush(i int) {
	l, k := w.links[i], &w.socks[i]
	if k.blocked || k.mute {
		return
	}
	if k.tls != nil {
		w.flushSealed(i, l, k)
		return
	}
	if len(l.out) > 0 {
		// Not stored in l yet: keep does, and counts what is new.
		out, ends := w.fill(l, l.out, l.ends, w.now)
		w.write(i, out, ends, l.dues, true)
		return
	}
	w.out, w.ends = w.fill(l, w.out[:0], w.ends[:0], w.now) // they may have grown
	w.write(i, w.out, w.ends, nil, false)
}

// flushDue writes the request that is due on the ready link l.
func (w *worker) flushDue(l *link) {
	w.out, w.ends, w.dues = w.fillDue(l, w.out[:0], w.ends[:0], w.dues[:0], w.now)
	w.blame(l, w.dues[0], w.now)
	if w.socks[l.place].tls != nil {
		w.writeSealed(l.place, w.sealed[:0], w.ends, 0, w.dues, false)
	} else {
		w.write(l.place, w.out, w.ends, w.dues, false)
	}
	w.offer(l, w.now)
}

// write hands out to the kernel and keeps what it does not take. own says that the
// three are the link's.
func (w *worker) write(i int, out []byte, ends []int, dues []int64, own bool) {
	if len(out) == 0 {
		return
	}
	l, k := w.links[i], &w.socks[i]
	n, errno := epoll.Send(k.fd, out)
	for errno == syscall.EINTR {
		n, errno = epoll.Send(k.fd, out)
	}
	whole := w.took(l, ends, dues, n, w.now)
	if n == len(out) && !own {
		return // nothing to keep, as nearly always
	}
	w.keep(l, out, ends, dues, n, whole)
	switch {
	case len(l.out) == 0:
	case errno == 0 || errno == syscall.EAGAIN:
		w.block(i)
	default:
		k.mute = true
		w.serve(i, true) // read what came before the end, and the end
	}
}

// block waits for room to write. EPOLL_CTL_MOD looks at the socket again, so room
// that came in between is not missed; the watch stays until the connection ends.
func (w *worker) block(i int) {
	k := &w.socks[i]
	k.blocked = true
	// It can fail only for a descriptor that is not registered: a bug, which the
	// stalled connection then shows.
	_ = w.poller.Change(k.fd, token(i, k), true)
}

// drop closes connection i and has it replaced.
func (w *worker) drop(i int, cause Cause) {
	w.part(i)
	wait := w.lose(w.links[i], cause, w.now)
	w.redial(w, i, wait)
}

// read does what the mail says.
func (w *worker) read() {
	w.posted.Store(false) // before taking: mail that comes later sets it again
	for _, m := range w.take() {
		switch m.kind {
		case mailBegin:
			w.start(m.order)
		case mailStop:
			w.stop(w.now)
		case mailEnd:
			w.end(w.now)
		case mailConn:
			w.replace(m.link, m.conn)
		case mailFault:
			w.fault(causeOf(m.err))
		case mailQuit:
			w.stop(w.now)
			m.done <- w.lastReport(w.now)
			w.release()
			w.ending = true
			return
		}
	}
}

// start begins a stretch by trying every connection, whether or not an edge is due.
func (w *worker) start(o order) {
	w.begin(o, w.now)
	if w.pacer != nil && !w.fine {
		w.fine = true
		_ = epoll.FineTimers() // without it sleeps end 50 us late, which the send lag shows
		_ = epoll.Prompt()     // without it other threads of this program hold it up, which the send lag shows too
	}
	for i := range w.inTurn {
		if w.links[i].up && !w.socks[i].left {
			w.serve(i, false)
		}
	}
}

// replace takes over the connection that replaces link i's.
func (w *worker) replace(i int, c net.Conn) {
	w.replaced(w.links[i])
	var err error
	if eventLoopTakes([]net.Conn{c}) {
		err = w.adopt(i, c)
	} else {
		c.Close()
		err = fmt.Errorf("dialer changed from plain sockets to %T", c)
	}
	if err != nil {
		w.fault(causeOf(err))
		l := w.links[i]
		l.backoff = nextBackoff(l.backoff)
		w.redial(w, i, l.backoff)
		return
	}
	w.serve(i, false)
}

// release closes all that the worker holds.
func (w *worker) release() {
	for _, m := range w.mailbox.close() {
		if m.conn != nil {
			m.conn.Close()
		}
	}
	for i, l := range w.links {
		if l.up {
			w.part(i)
		}
	}
	w.poller.Close()
}
