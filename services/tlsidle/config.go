package tlsidle

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"time"
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
	var faults []error
	if c.Stage != "" {
		if _, err := LookupStage(c.Stage); err != nil {
			faults = append(faults, err)
		}
	}
	if c.Certificate != nil && (len(c.Certificate.Certificate) == 0 || c.Certificate.PrivateKey == nil) {
		faults = append(faults, errors.New("certificate lacks a chain or a private key"))
	}
	if c.MaxConns < 0 {
		faults = append(faults, fmt.Errorf("max conns is %d, want 0 (for %d) or more", c.MaxConns, defaultMaxConns))
	}
	for _, t := range []struct {
		name         string
		set, meaning time.Duration
	}{
		{"handshake timeout", c.HandshakeTimeout, defaultHandshakeTimeout},
		{"request timeout", c.RequestTimeout, defaultRequestTimeout},
		{"idle timeout", c.IdleTimeout, defaultIdleTimeout},
		{"write timeout", c.WriteTimeout, defaultWriteTimeout},
	} {
		if t.set < 0 {
			faults = append(faults, fmt.Errorf("%s is %v, want 0 (for %v) or more", t.name, t.set, t.meaning))
		}
	}
	return errors.Join(faults...)
}

// withDefaults replaces the zero values by what they mean, the certificate apart.
func (c Config) withDefaults() Config {
	if c.Stage == "" {
		c.Stage = DefaultStage
	}
	if c.MaxConns == 0 {
		c.MaxConns = defaultMaxConns
	}
	for _, t := range []struct {
		set     *time.Duration
		meaning time.Duration
	}{
		{&c.HandshakeTimeout, defaultHandshakeTimeout},
		{&c.RequestTimeout, defaultRequestTimeout},
		{&c.IdleTimeout, defaultIdleTimeout},
		{&c.WriteTimeout, defaultWriteTimeout},
	} {
		if *t.set == 0 {
			*t.set = t.meaning
		}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}
