// Package nullserver is a minimal server that gives right answers. It only answers, as
// cheaply as this machine allows. So a load generator that loads it measures itself: its
// highest rate and its lowest latency.
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
	"errors"
	"net"
	"slices"
	"sync"
	"syscall"

	"github.com/gohone/hone/internal/text/fail"
)

// Options say what to serve and how.
type Options struct {
	// Network and Address are where Start listens, as for net.Listen: "tcp" with
	// "127.0.0.1:0", "unix" with a path.
	Network, Address string
	// Reply is what the server answers; zero is HTTP.
	Reply Reply
	// CPU is the one that the serving thread is bound to, counted from 0; -1 leaves the
	// choice to the system. Beware: zero is CPU 0. An error where there is no such
	// thread (see the package's words).
	CPU int
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
		return nil, cannotStart(err).WithHint("choose an address that is free on this machine")
	}
	return startOn(l, o)
}

func cannotStart(err error) *fail.Error {
	return fail.New(fail.Environment, "start null server: %w", err)
}

// startOn serves a listener, which it owns.
func startOn(l net.Listener, o Options) (*Server, error) {
	stop, err := serve(l, o)
	if err != nil {
		l.Close()
		return nil, err
	}
	return &Server{addr: l.Addr(), close: sync.OnceValue(func() error {
		defer l.Close()
		return stop()
	})}, nil
}

// Addr is where the server listens, with the port that the system chose.
func (s *Server) Addr() net.Addr { return s.addr }

// Close ends all connections at once and returns when everything has ended, with the
// error that ended the service before, if any.
func (s *Server) Close() error { return s.close() }

// serve takes the event loop where there is one that can serve l. stop, which is called
// once, does what Close promises.
func serve(l net.Listener, o Options) (stop func() error, err error) {
	if o.Reply < HTTP || o.Reply > Framed {
		return nil, fail.New(fail.BadInput, "start null server: no reply number %d", int(o.Reply))
	}
	if loopTakes(l) {
		return startLoop(l, o)
	}
	if o.CPU >= 0 {
		return nil, fail.New(fail.Environment, "start null server: cannot bind goroutines to cpu %d", o.CPU).
			WithHint("leave the CPU open (-1): only the event loop for plain sockets on Linux has a thread to bind")
	}
	return startPortable(l, o.Reply), nil
}

// exhausted says that accepting may work again when connections have ended.
func exhausted(err error) bool {
	return slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM},
		func(e error) bool { return errors.Is(err, e) })
}
