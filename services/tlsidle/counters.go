package tlsidle

import (
	"fmt"
	"sync/atomic"
)

// Cause is why a connection ended that its client did not end in order.
type Cause uint8

// The causes.
const (
	CauseRefused       Cause = iota // MaxConns were there, or the server was shutting down
	CauseHandshake                  // the TLS handshake failed
	CauseHandshakeSlow              // HandshakeTimeout
	CauseBadRequest                 // bytes that are not a request that this server takes
	CauseRequestSlow                // RequestTimeout
	CauseIdle                       // IdleTimeout
	CauseStalled                    // WriteTimeout
	CauseBroken                     // reset, a broken TLS record, or an end within a request
	CauseResources                  // the server could not take it up: descriptors, memory
	NumCauses          = iota
)

var causeNames = [NumCauses]string{
	"limit reached", "handshake failed", "handshake too slow", "bad request", "request too slow",
	"idle too long", "client does not read its answers", "broken by the client", "out of resources",
}

func (c Cause) String() string {
	if int(c) >= len(causeNames) {
		return fmt.Sprintf("cause %d", uint8(c))
	}
	return causeNames[c]
}

// Counters is a snapshot of what a Server has done since New.
type Counters struct {
	// Connected is the number of connections now, those in a handshake included.
	Connected int
	// Accepted counts the connections taken up; Handshakes those whose handshake ended
	// well.
	Accepted, Handshakes uint64
	// Requests counts the heads read, bad ones included; Responses the answers written.
	// nethttp counts only those that its handler sees.
	Requests, Responses uint64
	// Ended counts the connections that ended for a fault, by Cause. nethttp can tell
	// CauseRefused and CauseHandshake apart, no others.
	Ended [NumCauses]uint64
}

// tally is the live form of what the stages count.
type tally struct {
	handshakes, requests, responses atomic.Uint64
	ended                           [NumCauses]atomic.Uint64
}

// Counters returns a snapshot. Its numbers are read one after the other.
func (s *Server) Counters() Counters {
	n := s.core.Snapshot(func(map[*peer]struct{}) {})
	c := Counters{
		Connected:  n.Connected,
		Accepted:   n.Accepted,
		Handshakes: s.tally.handshakes.Load(),
		Requests:   s.tally.requests.Load(),
		Responses:  s.tally.responses.Load(),
	}
	for i := range c.Ended {
		c.Ended[i] = s.tally.ended[i].Load()
	}
	c.Ended[CauseRefused] = n.Refused
	c.Ended[CauseResources] += n.AcceptFaults
	return c
}
