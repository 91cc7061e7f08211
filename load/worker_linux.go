package load

import (
	"fmt"
	"net"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// worker is the event loop: one locked thread that owns a shard and its sockets and
// shares nothing but the mailbox.
type worker struct {
	*shard
	mailbox
	poller *poller
	socks  []sock // by link
	redial func(e engine, link int, wait time.Duration)

	// in and out are shared by all connections; ends belongs to out. now is the time
	// of the last read of the clock.
	in, out []byte
	ends    []int
	now     int64
	busy    int // events in the last batch
	// posted is set while mail waits, so that a turn need not lock to find none.
	posted atomic.Bool
	ending bool
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
}

// inSize holds the answers that one read brings. 64 kB is more than a loopback
// socket delivers in one go in practice; larger answers make it grow.
const inSize = 64 << 10

// eventLoopTakes says whether the event loop can drive these connections: plain TCP
// and Unix sockets, whose descriptors it can own.
func eventLoopTakes(conns []net.Conn) bool {
	for _, c := range conns {
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
	p, err := newPoller(len(set.conns))
	if err != nil {
		return nil, err
	}
	w := &worker{
		shard: set.shard, poller: p, socks: make([]sock, len(set.conns)),
		redial: set.redial, in: make([]byte, inSize),
	}
	w.cpu, w.threads = threadCPU, 1
	w.wake = func() {
		w.posted.Store(true)
		p.wake()
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
			if err := pin(set.cpu); err != nil {
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
	defer c.Close()
	raw, err := c.(syscall.Conn).SyscallConn()
	if err != nil {
		return err
	}
	fd := -1
	var dupErr error
	err = raw.Control(func(orig uintptr) {
		fd, dupErr = unix.FcntlInt(orig, unix.F_DUPFD_CLOEXEC, 0)
	})
	if err == nil {
		err = dupErr
	}
	if err != nil {
		return fmt.Errorf("duplicate descriptor: %w", err)
	}
	k := &w.socks[i]
	*k = sock{fd: fd, generation: k.generation + 1}
	if err := w.poller.watch(unix.EPOLL_CTL_ADD, fd, i, k.generation, false); err != nil {
		unix.Close(fd)
		return fmt.Errorf("add to epoll: %w", err)
	}
	w.connect(w.links[i], w.now)
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
	events := w.await()
	for i := range events {
		w.handle(&events[i])
	}
	w.busy = len(events)
	if w.posted.Load() {
		w.now = w.clock()
		w.read()
	}
	w.step(w.now)
}

// fewEvents is the size of a batch after which the next is as likely as not to find
// nothing: asking first would cost a system call (0.2 us) to save the bookkeeping of
// one that may block (0.05 us).
const fewEvents = 4

// await returns the next events, or none when it is time for step.
func (w *worker) await() []unix.EpollEvent {
	if w.busy > fewEvents {
		if events := w.poller.poll(); len(events) > 0 {
			return events
		}
	}
	events := w.poller.sleep(w.patience())
	if len(events) == 0 {
		w.now = w.clock() // else the first read sets it
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

func (w *worker) handle(e *unix.EpollEvent) {
	if e.Fd == wakeLink {
		return
	}
	i := int(e.Fd)
	k := &w.socks[i]
	if !w.links[i].up || k.generation != e.Pad {
		return // closed earlier in this batch
	}
	if k.blocked && e.Events&unix.EPOLLOUT != 0 {
		k.blocked = false
	}
	w.serve(i, e.Events&(unix.EPOLLRDHUP|unix.EPOLLHUP|unix.EPOLLERR) != 0)
}

// serve reads what connection i has, settles the answers and writes the requests
// that replace them. A read that does not fill the buffer has drained the socket:
// what comes later is a new edge. hup says that the end of the stream is near, and
// then only the end is the end.
func (w *worker) serve(i int, hup bool) {
	l, k := w.links[i], &w.socks[i]
	for {
		have := copy(w.in, l.rest)
		n, errno := recv(k.fd, w.in[have:])
		if errno == syscall.EINTR {
			continue
		}
		w.now = w.clock()
		if errno == syscall.EAGAIN {
			w.flush(i)
			return
		}
		if errno != 0 {
			w.drop(i, causeOf(errno))
			return
		}
		full := have+n == len(w.in)
		w.BytesReceived += uint64(n)
		rest, closed := w.receive(l, w.in[:have+n], n == 0, w.now)
		if closed || n == 0 {
			w.drop(i, Closed)
			return
		}
		l.rest = append(l.rest[:0], rest...)
		if len(rest) == len(w.in) && !w.widen(l) {
			w.drop(i, Closed)
			return
		}
		w.flush(i)
		if !l.up || !full && !hup && !k.mute {
			return
		}
	}
}

// widen makes room for an answer larger than the buffer; false if it is larger than
// any may be.
func (w *worker) widen(l *link) bool {
	if len(w.in) >= maxAnswer {
		w.settle(l, Answer{Seq: l.sent.tail, Cause: Malformed}, w.now)
		return false
	}
	w.in = make([]byte, 2*len(w.in))
	return true
}

// flush writes what connection i has waiting and the requests it has room for, in
// one write.
func (w *worker) flush(i int) {
	l, k := w.links[i], &w.socks[i]
	if k.blocked || k.mute {
		return
	}
	out, ends := l.out, l.ends
	own := len(out) > 0
	if !own {
		out, ends = w.out[:0], w.ends[:0]
	}
	out, ends = w.fill(l, out, ends, w.now)
	if !own {
		w.out, w.ends = out, ends // they may have grown
	}
	if len(out) == 0 {
		return
	}
	n, errno := send(k.fd, out)
	for errno == syscall.EINTR {
		n, errno = send(k.fd, out)
	}
	whole := w.took(l, ends, n, w.now)
	if n == len(out) && !own {
		return // nothing to keep, as nearly always
	}
	w.keep(l, out, ends, n, whole)
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
	_ = w.poller.watch(unix.EPOLL_CTL_MOD, k.fd, i, k.generation, true)
}

// drop closes connection i and has it replaced.
func (w *worker) drop(i int, cause Cause) {
	unix.Close(w.socks[i].fd)
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
		case mailConn:
			w.replace(m.link, m.conn)
		case mailFault:
			w.fault(causeOf(m.err))
		case mailQuit:
			w.stop(w.now)
			m.done <- w.report(w.now, nil)
			w.release()
			w.ending = true
			return
		}
	}
}

// start begins a slice by trying every connection, whether or not an edge is due.
func (w *worker) start(o order) {
	w.begin(o, w.now)
	for i, l := range w.links {
		if l.up {
			w.serve(i, false)
		}
	}
}

// replace takes over the connection that replaces link i's.
func (w *worker) replace(i int, c net.Conn) {
	w.reconnects++
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
			unix.Close(w.socks[i].fd)
		}
	}
	w.poller.close()
}
