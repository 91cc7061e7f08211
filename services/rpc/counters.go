package rpc

// Counters is a snapshot of what a Server has done since New.
type Counters struct {
	// Connected is the number of clients connected now.
	Connected int
	// Accepted counts the connections that were served; Refused those closed at once
	// because MaxConns were there already, or the server was shutting down.
	Accepted, Refused uint64
	// Frames counts the whole frames read: requests and heartbeats.
	Frames uint64
	// Calls is the number of calls in handlers on goroutines of their own now.
	Calls int
	// Idle and Stalled count the connections closed by IdleTimeout and WriteTimeout.
	Idle, Stalled uint64
	// Panics counts handlers that panicked.
	Panics uint64
	// BadFrames counts the connections closed for a bad frame, by Cause.
	BadFrames [NumCauses]uint64
}

// Counters returns a snapshot. It visits every connection: once a second is cheap,
// once a call is not.
func (s *Server) Counters() Counters {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.ended
	c.Connected = len(s.peers)
	c.Panics = s.panics.Load()
	for p := range s.peers {
		c.Frames += p.frames.Load()
		c.Calls += int(p.calls.Load())
	}
	return c
}
