package framed

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"sync"
	"syscall"

	"github.com/gohone/hone/internal/sys/epoll"

	"github.com/gohone/hone/services/internal/server"
)

// serveReactor runs one event loop for each processor that Go may use (GOMAXPROCS) and
// deals the connections out to them in turn. A loop is a locked thread with an
// edge-triggered epoll of its own; it owns its connections, shares nothing with the
// other loops, and reads all of them into one buffer and answers from another. So a
// connection costs memory of its own only while a frame is there in part or an answer
// is not taken, and a request neither a switch of goroutines nor a turn of Go's own
// poller.
//
// A connection that is not a plain socket, or that cannot be taken out of Go's poller, is
// served as batched serves it.
//
// A CPU profile is RawSyscall6 under loop.receive and next to nothing else. An allocs
// profile names nothing for requests, and some hundred bytes for each connection.
func serveReactor(s *Server, ln net.Listener) error { return server.AcceptAll(ln, s.reactor.take) }

// reactor is all loops, as the server and its acceptor see them.
type reactor struct {
	server  *Server
	next    int // the loop whose turn it is; the acceptor's own
	running sync.WaitGroup

	mu    sync.Mutex
	loops []*loop // none until the first connection; written by the acceptor only
}

var _ server.Engine = (*reactor)(nil)

// take hands conn to the next loop, or serves it by itself if no loop can have it.
func (r *reactor) take(conn net.Conn) {
	fd, err := r.socket(conn)
	if err != nil {
		r.server.core.Answer(newPeer(conn), answerBatched)
		return
	}
	conn.Close() // fd stays; Go's poller no longer wakes for it
	r.loops[r.next].hand(arrival{fd: fd, remote: conn.RemoteAddr()})
	r.next = (r.next + 1) % len(r.loops)
}

var errNotPlain = errors.New("no plain socket")

// socket returns a descriptor of the caller's own for the socket of conn. When it does,
// the loops are running.
func (r *reactor) socket(conn net.Conn) (fd int, err error) {
	switch conn.(type) {
	case *net.TCPConn, *net.UnixConn:
	default:
		return -1, errNotPlain
	}
	if r.loops == nil {
		if err := r.start(runtime.GOMAXPROCS(0)); err != nil {
			if !errors.Is(err, ErrShutdown) {
				r.server.core.Notices.WarnAs("loops", "start event loops: serve connection without", slog.Any("err", err))
			}
			return -1, err
		}
	}
	return epoll.Duplicate(conn.(syscall.Conn))
}

// start starts n loops, which end with Quit.
func (r *reactor) start(n int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.server.core.Closing() { // Finish may have come already
		return ErrShutdown
	}
	loops := make([]*loop, n)
	for i := range loops {
		l, err := newLoop(r.server)
		if err != nil {
			for _, l := range loops[:i] {
				l.close()
			}
			return fmt.Errorf("make event loop %d of %d: %w", i+1, n, err)
		}
		loops[i] = l
	}
	r.loops = loops
	for _, l := range loops {
		r.running.Go(l.run)
	}
	return nil
}

// post gives all loops orders.
func (r *reactor) post(o orders) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.loops {
		l.post(o)
	}
}

func (r *reactor) sweep()  { r.post(orderSweep) }
func (r *reactor) Finish() { r.post(orderFinish) }
func (r *reactor) Abort()  { r.post(orderAbort) }

// Quit ends the loops.
func (r *reactor) Quit() {
	r.post(orderQuit)
	r.running.Wait()
}

// add adds to c what the connections have moved, those that have gone included.
func (r *reactor) add(c *Counters) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.loops {
		l.traffic.add(c)
	}
}
