package rpc

import (
	"log/slog"
	"math"
	"time"

	"github.com/gohone/hone/services/internal/settings"
)

// Config is what a Server can be told. The zero value is a usable server.
type Config struct {
	// Stage names the rung of the ladder to serve with, one of Stages. Empty means
	// DefaultStage.
	Stage string
	// MaxConns is the number of connections served at a time; one more is closed as
	// soon as it is accepted. 0 means 10,000.
	MaxConns int
	// MaxBody is the largest body in bytes, of requests and of answers. 0 means
	// DefaultMaxBody. A connection holds up to about 5 times as much (a frame that is
	// being read, arguments in handlers, answers that wait), and on pipelined the answers
	// of handlers that end at the same time.
	MaxBody int
	// MaxCalls is the number of calls of one connection that may be in handlers at a
	// time; while there are as many, nothing more is read from it. 0 means 1,024. Only
	// pipelined has more than one.
	MaxCalls int
	// IdleTimeout is how long a connection may go without completing a frame before it
	// is closed; sending a frame a byte at a time does not prolong it. 0 means 2
	// minutes. The check runs every quarter of the shorter timeout, so that a connection
	// may live up to half of that timeout longer. A connection with a call in its
	// handler is not idle.
	IdleTimeout time.Duration
	// WriteTimeout is how long one write may wait for a client that does not read its
	// answers before the connection is reset. 0 means 10 s; the check runs as for
	// IdleTimeout.
	WriteTimeout time.Duration
	// Interceptors wrap every call, the first outermost.
	Interceptors []Interceptor
	// Log takes one line for each connection that is closed for a fault and each
	// handler that panics, bounded per kind. nil means that nothing is logged; Counters
	// still count.
	Log *slog.Logger
}

const (
	defaultMaxConns     = 10_000
	defaultMaxCalls     = 1024             // as many as a pipelined client has outstanding
	defaultIdleTimeout  = 2 * time.Minute  // many heartbeats
	defaultWriteTimeout = 10 * time.Second // several retransmissions: a slow network is no stall

	// maxMaxBody keeps sums of a few bodies within an int on every system.
	maxMaxBody = math.MaxInt32 / 8
)

// Validate reports all faults of the configuration at once.
func (c Config) Validate() error {
	_, err := c.fill()
	return err
}

// fill replaces the zero values by what they mean, and reports all faults.
func (c *Config) fill() (stage Stage, err error) {
	err = settings.Fill(
		settings.Stage(&c.Stage, Stages, DefaultStage, &stage),
		settings.Number("max conns", &c.MaxConns, defaultMaxConns),
		checkMaxBody(c.MaxBody),
		settings.Number("max calls", &c.MaxCalls, defaultMaxCalls),
		settings.Number("idle timeout", &c.IdleTimeout, defaultIdleTimeout),
		settings.Number("write timeout", &c.WriteTimeout, defaultWriteTimeout),
	)
	settings.Default(&c.MaxBody, DefaultMaxBody)
	return stage, err
}

// leastMaxBody leaves room for an error with its message.
const leastMaxBody = 2 * maxMessage

func checkMaxBody(n int) settings.Setting {
	return settings.Check(n == 0 || n >= leastMaxBody && n <= maxMaxBody,
		"max body is %d bytes, want 0 (for %d) or %d to %d", n, DefaultMaxBody, leastMaxBody, maxMaxBody)
}
