package rpc

import "github.com/gohone/hone/services/internal/server"

// Counters is a snapshot of what a Server has done since New.
type Counters struct {
	server.Counts
	// Frames counts the whole frames read: requests and heartbeats.
	Frames uint64
	// Calls is the number of calls in handlers on goroutines of their own now.
	Calls int
	// Panics counts handlers that panicked.
	Panics uint64
}

// Counters returns a snapshot. It visits every connection: once a second is cheap,
// once a call is not.
func (s *Server) Counters() (c Counters) {
	counts := s.core.Snapshot(func(peers map[*peer]struct{}) {
		c.Frames = s.frames
		for p := range peers {
			c.Frames += p.frames.Load()
			c.Calls += int(p.calls.Load())
		}
	})
	c.Counts, c.Panics = counts, s.panics.Load()
	return c
}
