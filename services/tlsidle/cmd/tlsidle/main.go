// Command tlsidle serves a 16,000-byte JSON document over HTTPS with one stage of its
// ladder.
//
//	tlsidle [-stage parked] [-addr 127.0.0.1:8443] [-cert cert.pem -key key.pem]
//
// It says on stderr where it listens, and ends on SIGINT and SIGTERM once every
// request that it has read is answered. The exit code is 0 after such an end, 2 for
// bad flags, 1 for anything else.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"log/slog"

	"github.com/gohone/hone/services/internal/ladder"
	"github.com/gohone/hone/services/internal/program"
	"github.com/gohone/hone/services/tlsidle"
)

func main() { program.Main("tlsidle", new(settings)) }

// settings is what the flags say.
type settings struct {
	tlsidle.Config
	addr, cert, key string
}

func (s *settings) Flags(flags *flag.FlagSet) {
	flags.StringVar(&s.Stage, "stage", tlsidle.DefaultStage, "`stage` of the ladder: "+ladder.Names(tlsidle.Stages))
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8443", "`host:port` to listen on; port 0 takes a free one")
	flags.StringVar(&s.cert, "cert", "", "PEM `file` of the certificate chain; without it one is made for localhost, self-signed")
	flags.StringVar(&s.key, "key", "", "PEM `file` of the certificate's key")
	flags.IntVar(&s.MaxConns, "max-conns", 0, "connections served at a time; 0 means 20,000")
	flags.DurationVar(&s.HandshakeTimeout, "handshake-timeout", 0, "close a connection whose handshake takes longer; 0 means 10s")
	flags.DurationVar(&s.RequestTimeout, "request-timeout", 0, "close a connection whose request takes longer to come; 0 means 10s")
	flags.DurationVar(&s.IdleTimeout, "idle-timeout", 0, "close a connection without a request for this long; 0 means 5m")
	flags.DurationVar(&s.WriteTimeout, "write-timeout", 0, "reset a connection whose client reads nothing for this long; 0 means 10s")
}

func (s *settings) Validate() error {
	if (s.cert == "") != (s.key == "") {
		return errors.New("-cert and -key go together")
	}
	return s.Config.Validate()
}

func (s *settings) Serve(ctx context.Context, log *slog.Logger) error {
	s.Log = log
	if s.cert != "" {
		pair, err := tls.LoadX509KeyPair(s.cert, s.key)
		if err != nil {
			return fmt.Errorf("load certificate %q and key %q: %w", s.cert, s.key, err)
		}
		s.Certificate = &pair
	}
	server, err := tlsidle.New(s.Config)
	if err != nil {
		return err
	}
	return program.Listen(ctx, log, s.addr, server.Stage().Name, server)
}
