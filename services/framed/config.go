package framed

import (
	"log/slog"
	"time"

	"github.com/gohone/hone/services/internal/settings"
)

// Config is what a Server can be told. The zero value is a usable server.
type Config struct {
	// Stage names the rung of the ladder to serve with, one of Stages. Empty means
	// DefaultStage.
	Stage string
	// MaxConns is the number of connections served at a time; one more is closed as
	// soon as it is accepted. 0 means 10,000. A connection holds up to 136 kB of buffers
	// (batched, after a frame of 64 kB; reactor, while it has a frame of 64 kB in part and
	// takes no answers), so this is what bounds the server's memory.
	MaxConns int
	// IdleTimeout is how long a connection may go without completing a request before
	// it is closed; sending a frame a byte at a time does not prolong it. 0 means 2
	// minutes. The check runs every quarter of the shorter timeout, so that a connection
	// may live up to half of that timeout longer.
	IdleTimeout time.Duration
	// WriteTimeout is how long one write may wait for a client that does not read its
	// answers before the connection is reset. 0 means 10 s; the check runs as for
	// IdleTimeout.
	WriteTimeout time.Duration
	// Log takes one line for each connection that is closed for a fault, bounded per
	// kind of fault. nil means that nothing is logged; Counters still count.
	Log *slog.Logger
}

const (
	defaultMaxConns     = 10_000           // the ladder's own load has 100
	defaultIdleTimeout  = 2 * time.Minute  // spares a client that asks once a minute, ends one that was forgotten
	defaultWriteTimeout = 10 * time.Second // several retransmissions: a slow network is no stall
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
		settings.Number("idle timeout", &c.IdleTimeout, defaultIdleTimeout),
		settings.Number("write timeout", &c.WriteTimeout, defaultWriteTimeout),
	)
	return stage, err
}
