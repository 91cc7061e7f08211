// Package load is hone's load engine: it keeps a number of connections busy with
// checked requests, and reports which answers came back and when.
//
// A Session holds the connections; Session.Slice loads the target for a short
// stretch and returns its counts and latencies. Comparisons alternate slices
// between two sessions, a plain run takes one after the other.
package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

// Plan is the load, apart from the target's address and protocol.
type Plan struct {
	// Connections is the number of connections held open. At least 1.
	Connections int `json:"connections"`
	// Depth is the closed loop's number of outstanding requests per connection. At
	// least 1; over 1 the requests are pipelined.
	Depth int `json:"depth"`
	// Workers is the number of event loops; 0 means one per CPU in CPUs, or one if
	// that is empty. Never more than Connections are started. The portable engine spreads
	// over all CPUs by itself.
	Workers int `json:"workers,omitempty"`
	// CPUs are the CPUs that workers are pinned to, in turn. Empty: not pinned. The
	// portable engine (systems other than Linux, connections that are not sockets) cannot pin and ignores it.
	CPUs []int `json:"cpus,omitempty"`
	// Timeout is how long a connection with requests outstanding may stay silent
	// before it counts as stalled, and how long one attempt to connect may take.
	// Must be positive.
	Timeout time.Duration `json:"timeout_ns"`
	// RequestTimeout is how long an answer may take, from the write that carried the
	// request. Then the request fails as Timeout and its connection is replaced, with
	// all that is outstanding on it. 0 means for ever: a server that withholds replies
	// shows as a stalled connection, which a replacement would hide.
	RequestTimeout time.Duration `json:"request_timeout_ns,omitempty"`
	// StreamTimeout is how long an answer may take that says that it is a stream of events; 0 means as long as any
	// other: RequestTimeout or, without it, Timeout. Where it is longer than that, such answers are expected, and fail
	// also if nothing comes for as long as another answer may take.
	StreamTimeout time.Duration `json:"stream_timeout_ns,omitempty"`
	// PerConnection is how many requests a connection carries before it is closed and
	// replaced; 0 means no bound.
	PerConnection uint64 `json:"per_connection,omitempty"`
	// ConnectOver spreads the first connects evenly over that time; 0 means at once.
	ConnectOver time.Duration `json:"connect_over_ns,omitempty"`
}

// Validate reports all faults of the plan at once.
func (p Plan) Validate() error {
	var faults []error
	want := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	want(p.Connections >= 1, "connections is %d, want at least 1", p.Connections)
	want(p.Depth >= 1, "depth is %d, want at least 1", p.Depth)
	want(p.Workers >= 0, "workers is %d, want 0 or more", p.Workers)
	for _, cpu := range p.CPUs {
		want(cpu >= 0, "cpu is %d, want 0 or more", cpu)
	}
	want(p.Timeout > 0, "timeout is %v, want more than 0", p.Timeout)
	want(p.RequestTimeout >= 0, "request timeout is %v, want 0 or more", p.RequestTimeout)
	want(p.StreamTimeout >= 0, "stream timeout is %v, want 0 or more", p.StreamTimeout)
	want(p.ConnectOver >= 0, "connect over is %v, want 0 or more", p.ConnectOver)
	return errors.Join(faults...)
}

// workers is the number of event loops that the plan asks for.
func (p Plan) workers() int {
	n := p.Workers
	if n == 0 {
		n = max(1, len(p.CPUs))
	}
	return min(n, p.Connections)
}

// Dialer opens one connection to the target. The engine calls it from several
// goroutines, and again when a connection has to be replaced.
type Dialer func(ctx context.Context) (net.Conn, error)
