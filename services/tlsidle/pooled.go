package tlsidle

import "sync"

// newPooled takes the buffers of a request from a sync.Pool, which all connections
// share, when its first byte has come, and puts them back once it is answered.
//
// An idle connection keeps what crypto/tls keeps, and a goroutine's stack with the
// frames of a blocked read.
func newPooled(s *Server) engine {
	pool := &sync.Pool{New: func() any { return newScratch() }}
	take := func() *scratch { return pool.Get().(*scratch) }
	give := func(b *scratch) { pool.Put(b) }
	return &blocking{s, func() (func() *scratch, func(*scratch)) { return take, give }}
}
