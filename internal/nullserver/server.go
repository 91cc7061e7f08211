// Package nullserver is a minimal server that gives right answers. It only answers, as
// cheaply as this machine allows. So a load generator that loads it measures itself: its
// highest rate and its lowest latency. Its log tells a test when each request was served.
//
// On Linux one thread with an event loop of its own serves all connections: one read
// and one write per wake-up, all requests of a read answered in one write, nothing
// allocated per request. Elsewhere, and for listeners that are not plain sockets (TLS),
// each connection has a goroutine.
//
// If a peer does not read its answers, the server does not read its requests: so each
// connection holds a bounded number of bytes (see readSize).
package nullserver

import (
	"net"
	"sync"
	"time"

	"github.com/gohone/hone/internal/fail"
)

// Options say what to serve and how.
type Options struct {
	// Network and Address are where Start listens, as for net.Listen: "tcp" with
	// "127.0.0.1:0", "unix" with a path. Serve does not look at them.
	Network, Address string
	// Reply is what the server answers; zero is HTTP.
	Reply Reply
	// CPU is the one that the serving thread is bound to, counted from 0; -1 leaves the
	// choice to the system. Beware: zero is CPU 0. An error where there is no such
	// thread (see the package's words).
	CPU int
	// Log, if set, is called for every batch of requests, by one goroutine at a time and
	// before the answers are written: who has an answer can find it in the log (under a
	// lock, since the race detector does not know that). The server waits for it. Nil
	// costs nothing.
	Log func(Batch)
	// Opened, if set, is called for every connection, before any Log of it, by one
	// goroutine at a time. conn is the connection's number, from 0 in order of
	// acceptance; peer is the client's address, by which a client finds its
	// connections in the log. It is of no use for Unix sockets, whose clients have no
	// name.
	Opened func(conn int, peer net.Addr)
}

// Batch says which requests one read completed. Its requests are answered in order, so
// it says for each when and as which of all it was served.
type Batch struct {
	// Conn is the number of the connection, from 0 in order of acceptance.
	Conn int
	// Index is how many requests of this connection came before the first of the batch,
	// Order how many of all connections.
	Index, Order uint64
	// Count is the number of requests, at least 1. For Echo, which knows no requests, it
	// and the two above count bytes.
	Count int
	// At is the time between the read and the write.
	At time.Time
}

// Server is a running null server.
type Server struct {
	addr  net.Addr
	close func() error
}

// Start listens and serves until Close. Its errors are of kind fail.Environment.
func Start(o Options) (*Server, error) {
	l, err := net.Listen(o.Network, o.Address)
	if err != nil {
		return nil, fail.New(fail.Environment, "start null server: %w", err).
			WithHint("choose an address that is free on this machine")
	}
	return startOn(l, o)
}

// startOn serves a listener, which it owns.
func startOn(l net.Listener, o Options) (*Server, error) {
	e, err := newEngine(l, o)
	if err != nil {
		l.Close()
		return nil, err
	}
	return &Server{addr: l.Addr(), close: sync.OnceValue(func() error {
		e.stop()
		defer l.Close()
		return e.wait()
	})}, nil
}

// Addr is where the server listens, with the port that the system chose.
func (s *Server) Addr() net.Addr { return s.addr }

// Close ends all connections at once and returns when everything has ended, with the
// error that ended the service before, if any.
func (s *Server) Close() error { return s.close() }

// engine serves from its making until stop or an error.
type engine interface {
	// stop ends the service and does not wait. It may be called several times, by
	// anyone.
	stop()
	// wait returns when everything has ended.
	wait() error
}

// newEngine takes the event loop where there is one that can serve l.
func newEngine(l net.Listener, o Options) (engine, error) {
	if o.Reply < HTTP || o.Reply > Echo {
		return nil, fail.New(fail.BadInput, "start null server: no reply number %d", int(o.Reply))
	}
	if loopTakes(l) {
		return startLoop(l, o)
	}
	if o.CPU >= 0 {
		return nil, fail.New(fail.Environment, "start null server: cannot bind goroutines to cpu %d", o.CPU).
			WithHint("leave the CPU open (-1): only the event loop for plain sockets on Linux has a thread to bind")
	}
	return startPortable(l, o), nil
}
