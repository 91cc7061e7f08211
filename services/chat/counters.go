package chat

// Counters is a snapshot of what a Server has done since New.
type Counters struct {
	// Connected is the number of clients connected now.
	Connected int
	// Accepted counts the connections that were served; Refused those closed at once
	// because MaxConns were there already, or the server was shutting down.
	Accepted, Refused uint64
	// Requests counts the requests decoded, Refusals those whose ack is not Accepted.
	Requests, Refusals uint64
	// Messages counts the messages accepted, Deliveries the broadcasts that they became,
	// one for each other member of the sender's room.
	Messages, Deliveries uint64
	// Idle, Stalled and Slow count the connections closed by IdleTimeout, WriteTimeout
	// and QueueBytes.
	Idle, Stalled, Slow uint64
	// BadFrames counts the connections closed for a bad frame, by Cause.
	BadFrames [NumCauses]uint64
}

// Counters returns a snapshot. It visits every connection: once a second is cheap,
// once a request is not.
func (s *Server) Counters() (c Counters) {
	n := s.core.Snapshot(func(peers map[*peer]struct{}) {
		c = s.ended
		for p := range peers {
			c.add(p)
		}
	})
	c.Connected, c.Accepted, c.Refused = n.Connected, n.Accepted, n.Refused
	c.Idle, c.Stalled, c.Slow = n.Idle, n.Stalled, n.Slow
	copy(c.BadFrames[:], n.BadFrames[:])
	return c
}

// add adds what one connection did.
func (c *Counters) add(p *peer) {
	c.Requests += p.requests.Load()
	c.Refusals += p.refusals.Load()
	c.Messages += p.messages.Load()
	c.Deliveries += p.deliveries.Load()
}
