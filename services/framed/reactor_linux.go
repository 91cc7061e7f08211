package framed

import (
	"fmt"
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
	r, err := newReactor(s, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	return s.eachConn(ln, r.take)
}

// reactor is the crowd of all loops.
type reactor struct {
	server *Server
	loops  []*loop
	next   int // the loop whose turn it is; the acceptor's own
}

// newReactor starts n loops; they end with the server.
func newReactor(s *Server, n int) (*reactor, error) {
	r := &reactor{server: s}
	runs := make([]func(), n)
	for i := range runs {
		l, err := newLoop(s)
		if err != nil {
			r.discard()
			return nil, fmt.Errorf("make event loop %d of %d: %w", i+1, n, err)
		}
		r.loops = append(r.loops, l)
		runs[i] = l.run
	}
	if !s.join(r, runs) {
		r.discard()
		return nil, net.ErrClosed
	}
	return r, nil
}

// discard gives back the loops, which never ran.
func (r *reactor) discard() {
	for _, l := range r.loops {
		l.poller.Close()
	}
}

// take hands conn to the next loop. The acceptor calls it, one connection at a time.
func (r *reactor) take(conn net.Conn) {
	fd, err := plainSocket(conn)
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

// plainSocket returns a descriptor of the caller's own for the socket of conn, if conn
// is nothing but a socket.
func plainSocket(conn net.Conn) (fd int, err error) {
	switch conn.(type) {
	case *net.TCPConn, *net.UnixConn:
		return epoll.Duplicate(conn.(syscall.Conn))
	}
	return -1, fmt.Errorf("take over %T: no plain socket", conn)
}

func (r *reactor) post(o orders) {
	for _, l := range r.loops {
		l.post(o)
	}
}

func (r *reactor) add(c *Counters) {
	for _, l := range r.loops {
		l.traffic.add(c)
	}
}
