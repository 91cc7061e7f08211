package nullserver

import (
	"fmt"
	"net"
	"runtime"
	"sync/atomic"
	"syscall"

	"github.com/gohone/hone/internal/sys/epoll"
	"golang.org/x/sys/unix"
)

// loop is the event loop: one locked thread that owns the connections and shares
// nothing but the order to stop.
type loop struct {
	reply    Reply
	listener int // a duplicate of the listener's descriptor
	poller   *epoll.Poller
	conns    []*conn // by link
	free     []int32 // links without a connection
	// again holds the connections that were not read to the end: each is read once per
	// turn, so that one that never stops sending holds up no other.
	again, spare []int32
	in, out      []byte
	busy         int // events in the last batch
	// starved: the system had no room for another connection. The next one that ends
	// makes some.
	starved bool
	ending  atomic.Bool
	done    chan struct{}
	err     error // what ended it; read after done
}

// listenLink is the listener's number in the poller's tokens.
const listenLink = epoll.WakeLink - 1

// loopTakes says whether the event loop can serve l: a plain TCP or Unix socket.
func loopTakes(l net.Listener) bool {
	switch l.(type) {
	case *net.TCPListener, *net.UnixListener:
		return true
	default:
		return false
	}
}

// batch is how many events are fetched at a time.
const batch = 256

func startLoop(l net.Listener, o Options) (stop func() error, err error) {
	fd, err := duplicate(l)
	if err != nil {
		return nil, cannotStart(err)
	}
	poller, err := epoll.New(batch)
	if err != nil {
		unix.Close(fd)
		return nil, cannotStart(err)
	}
	e := &loop{reply: o.Reply, listener: fd, poller: poller, in: make([]byte, readSize), done: make(chan struct{})}
	started := make(chan error)
	// Ends with the service. It never unlocks its thread, which therefore ends with it
	// and takes the CPU pinning along.
	go func() {
		runtime.LockOSThread()
		defer close(e.done)
		defer e.release()
		err := e.begin(o.CPU)
		started <- err
		for err == nil && !e.ending.Load() {
			e.turn()
		}
	}()
	if err := <-started; err != nil {
		_ = e.stop() // err is what it would say
		return nil, err
	}
	return e.stop, nil
}

// duplicate returns a descriptor for l's socket that is the caller's own. l stays open
// beside it: closing it would remove a Unix socket's name.
func duplicate(l net.Listener) (fd int, err error) {
	if fd, err = epoll.Duplicate(l.(syscall.Conn)); err != nil {
		return -1, fmt.Errorf("take over listener: %w", err)
	}
	if l.Addr().Network() != "tcp" {
		return fd, nil
	}
	// Connections inherit it, which spares a call for each. Without it the answer to a
	// second request waits until the client has acknowledged the first.
	if err := unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("switch delays off for listener: %w", err)
	}
	return fd, nil
}

// begin is what has to happen on the loop's own thread before the first turn.
func (e *loop) begin(cpu int) error {
	if cpu >= 0 {
		if err := epoll.Pin(cpu); err != nil {
			return cannotStart(err).WithHint("choose a CPU that this process may use: taskset -cp %d", unix.Getpid())
		}
	}
	if err := e.poller.Watch(e.listener, epoll.Token{Link: listenLink}, false); err != nil {
		return cannotStart(err)
	}
	return nil
}

// stop ends the loop, which may have ended by itself, and says what ended it before. The
// poller stays open until then: a wake needs it.
func (e *loop) stop() error {
	e.ending.Store(true)
	e.poller.Wake()
	<-e.done
	e.poller.Close()
	return e.err
}

// release closes the sockets that the loop holds.
func (e *loop) release() {
	for _, c := range e.conns {
		if c.fd >= 0 {
			unix.Close(c.fd)
		}
	}
	unix.Close(e.listener)
}

// turn handles one batch of events and then the connections that want more, or sleeps
// until there is something to do.
//
// It must stay a real call: its prologue is where the runtime can stop the loop (see
// package epoll).
//
//go:noinline
func (e *loop) turn() {
	events := e.await()
	e.busy = len(events)
	for i := range events {
		e.handle(&events[i])
	}
	again := e.again
	e.again = e.spare[:0]
	for _, link := range again {
		c := e.conns[link]
		c.queued = false
		if c.fd >= 0 && len(c.pending) == 0 { // else resume will queue it
			e.read(c)
		}
	}
	e.spare = again
}

// fewEvents is the size of a batch after which the next is as likely as not to find
// nothing: asking first would cost a system call (0.2 us) to save the bookkeeping of
// one that may block (0.05 us).
const fewEvents = 4

func (e *loop) await() []epoll.Event {
	if len(e.again) > 0 {
		return e.poller.Poll()
	}
	if e.busy > fewEvents {
		if events := e.poller.Poll(); len(events) > 0 {
			return events
		}
	}
	return e.poller.Sleep(-1)
}

func (e *loop) handle(ev *epoll.Event) {
	token := ev.Token()
	switch {
	case token.Link == listenLink:
		e.accept()
		return
	case token.Link == epoll.WakeLink:
		return // ending is set
	}
	c := e.conns[token.Link]
	if c.fd < 0 || c.generation != token.Generation {
		return // closed earlier in this batch
	}
	c.hup = c.hup || ev.Hangup()
	if len(c.pending) > 0 {
		e.resume(c)
		return
	}
	e.read(c)
}
