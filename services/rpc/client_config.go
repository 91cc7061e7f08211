package rpc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

// ClientConfig is what a Client can be told. Addr or Dial must be set.
type ClientConfig struct {
	// Stage names the rung of the ladder, one of Stages. Empty means DefaultStage. The
	// server's need not be the same.
	Stage string
	// Addr is the server's host:port, for TCP.
	Addr string
	// Dial connects to the server in place of Addr, if set. It must mind ctx.
	Dial func(ctx context.Context) (net.Conn, error)
	// Conns is the most connections that the client has. 0 means 64 for pooled and 2
	// for pipelined; naive always has 1. Each is dialled when it is first needed, and
	// again once it was lost.
	Conns int
	// Timeout ends each call whose context has no deadline. 0 means 2 s. pipelined looks
	// every twentieth of it, so that such a call may live that much longer.
	Timeout time.Duration
	// Heartbeat is how long nothing may be heard of a connection before the client asks
	// for a sign of life; without one for as long again the connection is closed. 0
	// means 5 s. naive has none but Ping.
	Heartbeat time.Duration
	// MaxBody is the largest body in bytes, of requests and of answers. 0 means
	// DefaultMaxBody.
	MaxBody int
	// Window is the most calls outstanding on a connection of pipelined; one more waits
	// until there is room. A power of two, up to 32,768. 0 means 1,024.
	Window int
	// Interceptors wrap every call, the first outermost.
	Interceptors []ClientInterceptor
}

const (
	defaultTimeout   = 2 * time.Second
	defaultHeartbeat = 5 * time.Second
	defaultWindow    = 1024
	maxWindow        = 1 << 15 // stream ids have 16 bits; one is left to tell calls in a slot apart
)

// Validate reports all faults of the configuration at once.
func (c ClientConfig) Validate() error {
	var faults []error
	if c.Stage != "" {
		if _, err := LookupStage(c.Stage); err != nil {
			faults = append(faults, err)
		}
	}
	if (c.Addr == "") == (c.Dial == nil) {
		faults = append(faults, errors.New("want either an address or a dial function"))
	}
	if c.Conns < 0 {
		faults = append(faults, fmt.Errorf("conns is %d, want 0 (for the stage's own) or more", c.Conns))
	}
	if c.Timeout < 0 {
		faults = append(faults, fmt.Errorf("timeout is %v, want 0 (for %v) or more", c.Timeout, defaultTimeout))
	}
	if c.Heartbeat < 0 {
		faults = append(faults, fmt.Errorf("heartbeat is %v, want 0 (for %v) or more", c.Heartbeat, defaultHeartbeat))
	}
	if err := checkMaxBody(c.MaxBody); err != nil {
		faults = append(faults, err)
	}
	if c.Window < 0 || c.Window > maxWindow || c.Window&(c.Window-1) != 0 {
		faults = append(faults, fmt.Errorf("window is %d, want 0 (for %d) or a power of two up to %d", c.Window, defaultWindow, maxWindow))
	}
	return errors.Join(faults...)
}

func (c ClientConfig) withDefaults() ClientConfig {
	setDefault(&c.Stage, DefaultStage)
	setDefault(&c.Timeout, defaultTimeout)
	setDefault(&c.Heartbeat, defaultHeartbeat)
	setDefault(&c.MaxBody, DefaultMaxBody)
	setDefault(&c.Window, defaultWindow)
	return c
}

// dial connects to the server.
func (c *ClientConfig) dial(ctx context.Context) (net.Conn, error) {
	if c.Dial != nil {
		return c.Dial(ctx)
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", c.Addr)
}
