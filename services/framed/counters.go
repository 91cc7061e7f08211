package framed

// Counters is a snapshot of what a Server has done since New.
type Counters struct {
	// Connected is the number of clients connected now.
	Connected int
	// Accepted counts the connections that were served; Refused those closed at once
	// because MaxConns were there already, or the server was shutting down.
	Accepted, Refused uint64
	// Requests counts the requests decoded; Responses the answers whose last byte was
	// handed to the kernel.
	Requests, Responses uint64
	// BytesReceived and BytesSent count what was read from clients and what the kernel
	// took for them.
	BytesReceived, BytesSent uint64
	// Idle and Stalled count the connections closed by IdleTimeout and WriteTimeout.
	Idle, Stalled uint64
	// Lost counts the connections that broke: reset by the client or the network, or
	// ended by the client within a frame.
	Lost uint64
	// AcceptFaults counts the failures to accept that were waited out.
	AcceptFaults uint64
	// BadFrames counts the connections closed for a bad frame, by Cause.
	BadFrames [NumCauses]uint64
}

// Counters returns a snapshot. It visits every connection, except those of reactor, whose
// loops add up by themselves: once a second is cheap, once a request is not. A loop tells
// what it has moved when it has served all that were waiting, so that clients may have
// answers that are not counted yet; with the last connection all is counted.
func (s *Server) Counters() (c Counters) {
	n := s.core.Snapshot(func(peers map[*peer]struct{}) {
		c = s.ended
		for p := range peers {
			c.add(p)
		}
		s.reactor.add(&c)
	})
	c.Connected, c.Accepted, c.Refused, c.AcceptFaults = n.Connected, n.Accepted, n.Refused, n.AcceptFaults
	c.Idle, c.Stalled, c.Lost = n.Idle, n.Stalled, n.Lost
	copy(c.BadFrames[:], n.BadFrames[:])
	return c
}

// add adds what one connection has moved. Every answer is AckSize bytes, so that bytes
// written count responses, whatever writes they went out in.
func (c *Counters) add(p *peer) {
	written := p.written.Load()
	c.Requests += p.requests.Load()
	c.Responses += written / AckSize
	c.BytesReceived += p.read.Load()
	c.BytesSent += written
}
