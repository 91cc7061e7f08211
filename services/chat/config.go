package chat

import (
	"io"
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
	// Stored sends the texts of broadcasts as they are, in a stored block of a zlib stream,
	// which every client reads as it reads a compressed one.
	Stored bool
	// NoLines makes no line for a message at all. Without a Journal a line is made and
	// discarded.
	NoLines bool
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
	_, err := c.fill()
	return err
}

// fill replaces the zero values by what they mean, and reports all faults.
func (c *Config) fill() (stage Stage, err error) {
	if c.Journal == nil {
		c.Journal = io.Discard
	}
	err = settings.Fill(
		settings.Stage(&c.Stage, Stages, DefaultStage, &stage),
		settings.Number("max conns", &c.MaxConns, defaultMaxConns),
		settings.Number("max room", &c.MaxRoom, defaultMaxRoom),
		settings.AtLeast("queue bytes", &c.QueueBytes, minQueueBytes, defaultQueueBytes),
		settings.AtLeast("queue total bytes", &c.QueueTotalBytes, minQueueBytes, defaultQueueTotalBytes),
		settings.Number("idle timeout", &c.IdleTimeout, defaultIdleTimeout),
		settings.Number("write timeout", &c.WriteTimeout, defaultWriteTimeout),
	)
	return stage, err
}
