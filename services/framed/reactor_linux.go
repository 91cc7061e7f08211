package framed

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/epoll"
)

// serveReactor runs one event loop for each processor that Go may use (GOMAXPROCS) and
// deals the connections out to them in turn. A loop is a locked thread with an
// edge-triggered epoll of its own; it owns its connections, shares nothing with the
// other loops, and reads all of them into one buffer and answers from another. So a
// connection costs memory of its own only while a frame is there in part or an answer
// is not taken, and a request neither a switch of goroutines nor a turn of Go's own
// poller.
//
// A connection that is no plain socket, or that cannot be taken out of Go's poller, is
// served as batched serves it.
//
// A CPU profile is RawSyscall6 under loop.receive and next to nothing else. An allocs
// profile names nothing for requests, and some hundred bytes for each connection.
func serveReactor(s *Server, ln net.Listener) error {
	r := &reactor{server: s}
	return s.eachConn(ln, r.take)
}

// reactor is the acceptor's side of the loops.
type reactor struct {
	server *Server
	loops  []*loop // nil until the first connection
	next   int     // the loop whose turn it is
}

// take hands conn to the next loop, or serves it by itself if no loop can have it.
func (r *reactor) take(conn net.Conn) {
	fd, err := r.socket(conn)
	if err != nil {
		r.server.servePeer(conn, answerBatched)
		return
	}
	if !r.server.admit(conn, nil) {
		unix.Close(fd)
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
				r.server.notices.WarnAs("loops", "start event loops: serve connection without", slog.Any("err", err))
			}
			return -1, err
		}
	}
	return epoll.Duplicate(conn.(syscall.Conn))
}

// start starts n loops, which end with the server.
func (r *reactor) start(n int) error {
	loops, runs := make([]*loop, n), make([]func(), n)
	for i := range loops {
		l, err := newLoop(r.server)
		if err != nil {
			discard(loops[:i])
			return fmt.Errorf("make event loop %d of %d: %w", i+1, n, err)
		}
		loops[i], runs[i] = l, l.run
	}
	if !r.server.join(crowdOfLoops(loops), runs) {
		discard(loops)
		return ErrShutdown
	}
	r.loops = loops
	return nil
}

// join makes c the server's crowd and runs its loops, which end on orderQuit. It is
// false, and nothing runs, if the server is shutting down.
func (s *Server) join(c crowd, loops []func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosing() {
		return false
	}
	s.crowd = c
	for _, loop := range loops {
		s.lasting.Go(loop)
	}
	return true
}

// discard gives back loops that never ran.
func discard(loops []*loop) {
	for _, l := range loops {
		l.close()
	}
}

// crowdOfLoops is all loops, as the server sees them.
type crowdOfLoops []*loop

var _ crowd = crowdOfLoops(nil)

func (loops crowdOfLoops) post(o orders) {
	for _, l := range loops {
		l.post(o)
	}
}

func (loops crowdOfLoops) add(c *Counters) {
	for _, l := range loops {
		l.traffic.add(c)
	}
}
