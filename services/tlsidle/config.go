package tlsidle

import (
	"crypto/tls"
	"log/slog"
	"time"

	"github.com/gohone/hone/services/internal/settings"
)

// Config is what a Server can be told. The zero value is a usable server.
//
// parked looks at its timeouts every quarter of the shortest, at most once a second, so
// that one may run over by so much.
type Config struct {
	// Stage names the rung of the ladder to serve with, one of Stages. Empty means
	// DefaultStage.
	Stage string
	// Certificate is what the server shows. nil means one made by SelfSigned when the
	// server is made.
	Certificate *tls.Certificate
	// MaxConns is the number of connections served at a time; one more is closed as
	// soon as it is accepted. 0 means 20,000. It bounds the server's memory: what one
	// connection can make a stage hold is in README.md.
	MaxConns int
	// HandshakeTimeout is how long a client may take from the connect to the end of the
	// TLS handshake. 0 means 10 s. nethttp has no setting of its own for it and takes
	// the shorter of RequestTimeout and WriteTimeout.
	HandshakeTimeout time.Duration
	// RequestTimeout is how long the head of a request may take from its first byte to
	// its last. 0 means 10 s.
	RequestTimeout time.Duration
	// IdleTimeout is how long a connection may rest between requests. 0 means 5 minutes.
	IdleTimeout time.Duration
	// WriteTimeout is how long the writing of an answer may wait for a client that does
	// not read. 0 means 10 s.
	WriteTimeout time.Duration
	// Log takes one line for each connection that is closed for a fault, bounded per
	// kind of fault. nil means that nothing is logged; Counters still count.
	Log *slog.Logger
}

const (
	defaultMaxConns         = 20_000           // 10,000 idle ones, twice
	defaultHandshakeTimeout = 10 * time.Second // as net/http's users commonly set
	defaultRequestTimeout   = 10 * time.Second // several retransmissions: a slow network is no slow sender
	defaultIdleTimeout      = 5 * time.Minute  // resting connections are what this server is for
	defaultWriteTimeout     = 10 * time.Second
)

// Validate reports all faults of the configuration at once.
func (c Config) Validate() error {
	_, err := c.fill()
	return err
}

// fill replaces the zero values by what they mean, the certificate apart, and reports all
// faults.
func (c *Config) fill() (stage Stage, err error) {
	err = settings.Fill(
		settings.Stage(&c.Stage, Stages, DefaultStage, &stage),
		settings.Check(c.Certificate == nil || len(c.Certificate.Certificate) > 0 && c.Certificate.PrivateKey != nil,
			"certificate lacks a chain or a private key"),
		settings.Number("max conns", &c.MaxConns, defaultMaxConns),
		settings.Number("handshake timeout", &c.HandshakeTimeout, defaultHandshakeTimeout),
		settings.Number("request timeout", &c.RequestTimeout, defaultRequestTimeout),
		settings.Number("idle timeout", &c.IdleTimeout, defaultIdleTimeout),
		settings.Number("write timeout", &c.WriteTimeout, defaultWriteTimeout),
	)
	return stage, err
}
