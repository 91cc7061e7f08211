package chat

import "sync"

// openPooledConn takes the objects of connections from a sync.Pool: the heap profile's
// largest item is the connections, so that pooling them looks like the thing to do. It
// saves one object per connection where the cost is per message, so no profile changes;
// and it has a bug, which is kept.
//
// forget is meant to make the object fit for the next user and was not told about the
// nickname, which came later. login sets a nickname only if the user brings one, so a
// user without one gets that of a stranger who has left.
func openPooledConn(s *Server) func(*peer) error {
	pool := &sync.Pool{New: func() any { return new(session) }}
	return func(p *peer) error {
		own := pool.Get().(*session)
		own.server, own.peer = s, p
		defer func() {
			own.leave()
			own.forget()
			pool.Put(own)
		}()
		return converse(own, &naive{own})
	}
}

// forget is the incomplete reset: nick is missing. `*s = session{}` forgets nothing.
func (s *session) forget() {
	s.server, s.peer = nil, nil
	s.name = ""
	s.room = nil
}
