//go:build !linux

package framed

import "net"

// serveReactor serves as batched does: the event loop is epoll's, and so Linux's.
func serveReactor(s *Server, ln net.Listener) error { return serveBatched(s, ln) }

// reactor has no connections here.
type reactor struct{ server *Server }

func (*reactor) sweep()        {}
func (*reactor) Finish()       {}
func (*reactor) Abort()        {}
func (*reactor) Quit()         {}
func (*reactor) add(*Counters) {}
