package chat

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"
)

// Config is what a Server can be told. The zero value is a usable server.
type Config struct {
	// Stage names the rung of the ladder to serve with, one of Stages. Empty means
	// DefaultStage.
	Stage string
	// MaxConns is the number of connections served at a time; one more is closed as
	// soon as it is accepted. 0 means 25,000.
	MaxConns int
	// MaxRoom is the number of members a room may have. 0 means 1,000. A message is
	// written once per member, so this bounds what one request can cost.
	MaxRoom int
	// IdleTimeout is how long a connection may go without a request that is accepted
	// before it is closed; a ping will do. 0 means 5 minutes. The check runs every
	// quarter of the shorter timeout, so that a connection may live that much longer.
	IdleTimeout time.Duration
	// WriteTimeout is how long one write may wait for a client that does not read
	// before the connection is reset. 0 means 10 s; the check runs as for IdleTimeout.
	WriteTimeout time.Duration
	// QueueBytes is how much may wait for a client that reads too slowly, in the stage
	// final, before the connection is reset. At least 128 kB (two frames); 0 means 256 kB.
	QueueBytes int
	// QueueTotalBytes bounds what waits for all clients together in the same way: once
	// it is reached, the next client that cannot be written to at once is reset. 0 means
	// 256 MB.
	QueueTotalBytes int64
	// Journal takes one line for each message that is accepted, with the sender's
	// identity. nil means that the lines are made and discarded. A Journal that blocks
	// holds up the server. The stage final collects lines, for a quarter of the shorter
	// timeout at most.
	Journal io.Writer
	// Log takes one line for each connection that is closed for a fault, bounded per
	// kind of fault. nil means that nothing is logged; Counters still count.
	Log *slog.Logger
}

const (
	defaultMaxConns        = 25_000           // the published load is 20,000
	defaultMaxRoom         = 1000             // 5 ms of loopback writes
	defaultIdleTimeout     = 5 * time.Minute  // clients ping once a minute or so
	defaultWriteTimeout    = 10 * time.Second // several retransmissions: a slow network is no stall
	defaultQueueBytes      = 256 << 10        // 1,000 broadcasts of 250 bytes
	minQueueBytes          = 2 * MaxFrame     // what one send may add (see final.go)
	defaultQueueTotalBytes = 256 << 20        // a thousand slow clients
)

// Validate reports all faults of the configuration at once.
func (c Config) Validate() error {
	var faults []error
	if c.Stage != "" {
		if _, err := LookupStage(c.Stage); err != nil {
			faults = append(faults, err)
		}
	}
	whole := func(what string, n, least int64, zero any) {
		if n != 0 && n < least {
			faults = append(faults, fmt.Errorf("%s is %d, want %d or more, or 0 (for %v)", what, n, least, zero))
		}
	}
	duration := func(what string, d, zero time.Duration) {
		if d < 0 {
			faults = append(faults, fmt.Errorf("%s is %v, want 0 (for %v) or more", what, d, zero))
		}
	}
	whole("max conns", int64(c.MaxConns), 1, defaultMaxConns)
	whole("max room", int64(c.MaxRoom), 1, defaultMaxRoom)
	whole("queue bytes", int64(c.QueueBytes), minQueueBytes, defaultQueueBytes)
	whole("queue total bytes", c.QueueTotalBytes, minQueueBytes, defaultQueueTotalBytes)
	duration("idle timeout", c.IdleTimeout, defaultIdleTimeout)
	duration("write timeout", c.WriteTimeout, defaultWriteTimeout)
	return errors.Join(faults...)
}

// withDefaults replaces the zero values by what they mean.
func (c Config) withDefaults() Config {
	set(&c.Stage, DefaultStage)
	set(&c.MaxConns, defaultMaxConns)
	set(&c.MaxRoom, defaultMaxRoom)
	set(&c.IdleTimeout, defaultIdleTimeout)
	set(&c.WriteTimeout, defaultWriteTimeout)
	set(&c.QueueBytes, defaultQueueBytes)
	set(&c.QueueTotalBytes, defaultQueueTotalBytes)
	if c.Journal == nil {
		c.Journal = io.Discard
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// set gives a field that is zero its default.
func set[T comparable](field *T, to T) {
	var zero T
	if *field == zero {
		*field = to
	}
}

// period is how often the watchdog looks.
func (c Config) period() time.Duration {
	return max(min(c.IdleTimeout, c.WriteTimeout)/4, time.Millisecond)
}
