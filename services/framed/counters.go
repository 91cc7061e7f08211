package framed

import "github.com/gohone/hone/services/internal/server"

// Counters is a snapshot of what a Server has done since New.
type Counters struct {
	server.Counts
	// Requests counts the requests decoded; Responses the answers whose last byte was
	// handed to the kernel.
	Requests, Responses uint64
	// BytesReceived and BytesSent count what was read from clients and what the kernel
	// took for them.
	BytesReceived, BytesSent uint64
}

// Counters returns a snapshot. It visits every connection, except those of reactor, whose
// loops add up by themselves: once a second is cheap, once a request is not. A loop tells
// what it has moved when it has served all that were waiting, so that clients may have
// answers that are not counted yet; with the last connection all is counted.
func (s *Server) Counters() (c Counters) {
	counts := s.core.Snapshot(func(peers map[*peer]struct{}) {
		c = s.ended
		for p := range peers {
			c.add(p)
		}
		s.reactor.add(&c)
	})
	c.Counts = counts
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
