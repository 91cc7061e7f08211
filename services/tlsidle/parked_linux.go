package tlsidle

import (
	"fmt"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/sys/epoll"

	"github.com/gohone/hone/services/internal/server"
)

// lot is the engine of the parked stage. A connection that waits for its client is an
// entry in a table and in the kernel's epoll, and no more: no goroutine, no buffer, no
// timer. Three kinds of goroutine move it on, and none of them waits for a client, a
// handshake's own apart, so that slow clients take up nothing that others need:
//
//   - one thread takes the events of the epoll and hands connections over,
//   - a few workers read, answer and park (parked_work_linux.go),
//   - one watch looks at the timeouts (parked_watch_linux.go).
//
// crypto/tls can take up a read where it left it, but not a handshake, so that each
// handshake has a goroutine from its first byte to its end (parked_handshake_linux.go).
type lot struct {
	s          *Server
	poller     *epoll.Poller
	start      time.Time // what parked.since counts from
	quit       chan struct{}
	stop       atomic.Bool // tells the poller's thread to end
	hurry      atomic.Bool // the time of a shutdown is up: nothing is waited for any more
	goroutines sync.WaitGroup

	trimmer trimmer
	pool    sync.Pool // of *scratch

	ready      queue // connections that wait for a worker
	handshakes handshakes
	memory     memory

	mu      sync.Mutex
	running bool
	conns   []*parked // by Token.Link
	gens    []int32   // by Token.Link
	free    []int32   // links that no connection has
}

// eventBatch is how many events are taken from the kernel at a time; more are simply
// the next batch's.
const eventBatch = 256

var _ server.Engine = (*lot)(nil)

func newParked(s *Server) engine {
	l := &lot{s: s, start: time.Now(), quit: make(chan struct{}), trimmer: newTrimmer()}
	l.pool.New = func() any { return newScratch() }
	l.ready.filled.L = &l.ready.mu
	return l
}

func (l *lot) serve(ln net.Listener) error {
	if err := l.begin(); err != nil {
		return err
	}
	return server.AcceptAll(ln, func(conn net.Conn) {
		if err := l.admit(conn); err != nil {
			if !l.s.core.Closing() {
				l.s.ended(CauseResources, conn.RemoteAddr(), err)
			}
			l.s.core.Leave(server.Ending{})
		}
		conn.Close() // the lot has a descriptor of its own, without Go's book-keeping for one
	})
}

// begin starts the goroutines, all of which end with Quit.
func (l *lot) begin() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.s.core.Closing() {
		return net.ErrClosed
	}
	var err error
	if l.poller, err = epoll.New(eventBatch); err != nil {
		return err
	}
	l.running = true
	l.goroutines.Go(l.poll)
	l.goroutines.Go(l.watch)
	// Workers never wait but for the processor.
	for range runtime.GOMAXPROCS(0) {
		l.goroutines.Go(l.work)
	}
	return nil
}

// admit takes over the socket of conn, which stays the caller's to close.
func (l *lot) admit(conn net.Conn) error {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return fmt.Errorf("connection of type %T has no descriptor", conn)
	}
	fd, err := epoll.Duplicate(socket)
	if err != nil {
		return err
	}
	p := &parked{lot: l, fd: int32(fd), since: l.now()}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.s.core.Closing() {
		syscall.Close(fd)
		return net.ErrClosed
	}
	l.enter(p)
	// Any thread may change what an epoll watches (epoll_ctl(2)). Under the lock, since
	// an event may come at once, and must find p.
	if err := l.poller.Watch(fd, p.token, false); err != nil {
		l.strike(p)
		syscall.Close(fd)
		return err
	}
	return nil
}

// enter gives p a place in the table; under l.mu.
func (l *lot) enter(p *parked) {
	if n := len(l.free); n > 0 {
		p.token.Link = l.free[n-1]
		l.free = l.free[:n-1]
	} else {
		p.token.Link = int32(len(l.conns))
		l.conns = append(l.conns, nil)
		l.gens = append(l.gens, 0)
	}
	l.gens[p.token.Link]++
	p.token.Generation = l.gens[p.token.Link]
	l.conns[p.token.Link] = p
}

// strike takes p's place back; under l.mu.
func (l *lot) strike(p *parked) {
	l.conns[p.token.Link] = nil
	l.free = append(l.free, p.token.Link)
}

// at returns the connection that an event is for, nil if that has gone.
func (l *lot) at(t epoll.Token) *parked {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t.Link < 0 || int(t.Link) >= len(l.conns) || l.gens[t.Link] != t.Generation {
		return nil
	}
	return l.conns[t.Link]
}

// poll is the thread that waits for the kernel's events.
func (l *lot) poll() {
	runtime.LockOSThread() // for good: the thread ends with the goroutine
	for !l.stop.Load() {
		l.dispatch(l.poller.Doze(-1))
	}
}

// dispatch hands a batch of events over. It stays a real call: see package epoll.
//
//go:noinline
func (l *lot) dispatch(events []epoll.Event) {
	for i := range events {
		if p := l.at(events[i].Token()); p != nil {
			p.event()
		}
	}
}

// each calls do for every connection, without a lock held.
func (l *lot) each(do func(*parked)) {
	for link := 0; ; link++ {
		l.mu.Lock()
		if link >= len(l.conns) {
			l.mu.Unlock()
			return
		}
		p := l.conns[link]
		l.mu.Unlock()
		if p != nil {
			do(p)
		}
	}
}

// now is the time since the start of the lot, in nanoseconds.
func (l *lot) now() int64 { return int64(time.Since(l.start)) }

// Finish ends the connections without an owner; their goroutine or worker ends the others.
func (l *lot) Finish() { l.each((*parked).dismiss) }

// Abort ends them at once: handshakes are cut, and workers wait for no client.
func (l *lot) Abort() {
	l.hurry.Store(true)
	l.each((*parked).abandon)
}

// Quit ends the goroutines.
func (l *lot) Quit() {
	l.mu.Lock()
	running := l.running
	l.mu.Unlock()
	if !running {
		return
	}
	close(l.quit)
	l.ready.close()
	l.stop.Store(true)
	l.poller.Wake()
	l.goroutines.Wait()
	l.poller.Close()
}
