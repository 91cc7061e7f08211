package rpc

import (
	"context"
	"net"
	"time"

	"github.com/gohone/hone/services/internal/settings"
)

// ClientConfig is what a Client can be told. Addr or Dial must be set.
type ClientConfig struct {
	// Stage names the rung of the ladder, one of Stages. Empty means DefaultStage. The
	// server's need not be the same.
	Stage string
	// Addr is the server's host:port, for TCP.
	Addr string
	// Dial connects to the server instead of Addr, if set. It must mind ctx.
	Dial func(ctx context.Context) (net.Conn, error)
	// Conns is the most connections that the client has. 0 means 64 for pooled and 2
	// for pipelined; naive always has 1. Each is dialled when it is first needed, and
	// again once it was lost.
	Conns int
	// Timeout ends each call whose context has no deadline. 0 means 2 s. pipelined looks
	// every twentieth of it, so that such a call may live that much longer.
	Timeout time.Duration
	// Heartbeat is how long nothing may be heard of a connection before the client sends
	// a heartbeat; without an answer for as long again the connection is closed. 0
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
	_, err := c.fill()
	return err
}

// fill replaces the zero values by what they mean, and reports all faults.
func (c *ClientConfig) fill() (stage Stage, err error) {
	err = settings.Fill(
		settings.Stage(&c.Stage, Stages, DefaultStage, &stage),
		settings.Check((c.Addr == "") != (c.Dial == nil), "want either an address or a dial function"),
		settings.Check(c.Conns >= 0, "conns is %d, want 0 (for the stage's own) or more", c.Conns),
		settings.Number("timeout", &c.Timeout, defaultTimeout),
		settings.Number("heartbeat", &c.Heartbeat, defaultHeartbeat),
		checkMaxBody(c.MaxBody),
		settings.Check(c.Window >= 0 && c.Window <= maxWindow && c.Window&(c.Window-1) == 0,
			"window is %d, want 0 (for %d) or a power of two up to %d", c.Window, defaultWindow, maxWindow),
	)
	settings.Default(&c.MaxBody, DefaultMaxBody)
	settings.Default(&c.Window, defaultWindow)
	return stage, err
}

// dial connects to the server.
func (c *ClientConfig) dial(ctx context.Context) (net.Conn, error) {
	if c.Dial != nil {
		return c.Dial(ctx)
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", c.Addr)
}
