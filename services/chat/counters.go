package chat

import "github.com/gohone/hone/services/internal/server"

// Counters is a snapshot of what a Server has done since New.
type Counters struct {
	server.Counts
	// Requests counts the requests decoded, Refusals those whose ack is not Accepted.
	Requests, Refusals uint64
	// Messages counts the messages accepted, Deliveries the broadcasts that they became,
	// one for each other member of the sender's room.
	Messages, Deliveries uint64
}

// Counters returns a snapshot. It visits every connection: once a second is cheap,
// once a request is not.
func (s *Server) Counters() (c Counters) {
	counts := s.core.Snapshot(func(peers map[*peer]struct{}) {
		c = s.ended
		for p := range peers {
			c.add(p)
		}
	})
	c.Counts = counts
	return c
}

// add adds what one connection did.
func (c *Counters) add(p *peer) {
	refusals := p.refusals.Load()
	c.Requests += p.accepted.Load() + refusals
	c.Refusals += refusals
	c.Messages += p.messages.Load()
	c.Deliveries += p.deliveries.Load()
}
