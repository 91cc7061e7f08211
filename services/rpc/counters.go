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
func (s *Server) Counters() (c Counters) {
	n := s.core.Snapshot(func(peers map[*peer]struct{}) {
		c.Frames = s.frames
		for p := range peers {
			c.Frames += p.frames.Load()
			c.Calls += int(p.calls.Load())
		}
	})
	c.Connected, c.Accepted, c.Refused = n.Connected, n.Accepted, n.Refused
	c.Idle, c.Stalled, c.Panics = n.Idle, n.Stalled, s.panics.Load()
	copy(c.BadFrames[:], n.BadFrames[:])
	return c
}
