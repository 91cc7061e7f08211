// Package recognise finds out the protocol of a TCP port, with as few connections and bytes as possible: one for HTTP,
// Redis and servers that speak first, two for TLS and HTTP/2. A port that closes or stays silent is asked in the words
// of the other protocols that programs in Go serve, each on a connection of its own, all at once.
package recognise

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Protocol is what a port speaks.
type Protocol string

// The protocols that are told apart, besides those that are only named: see others.go.
const (
	HTTP   Protocol = "HTTP/1.1"
	HTTP2  Protocol = "HTTP/2 only" // with prior knowledge, or by ALPN
	GRPC   Protocol = "gRPC"
	TLS    Protocol = "TLS" // with something inside that is none of the above
	Redis  Protocol = "RESP, the protocol of Redis"
	NATS   Protocol = "NATS"
	Other  Protocol = "another protocol" // it answered, see Seen.Line
	Closed Protocol = "closed"           // it closed the connection without an answer
	Silent Protocol = "silent"           // no byte came in time
	Absent Protocol = "absent"           // no connection came about
)

// Seen is what a port showed.
type Seen struct {
	Protocol Protocol
	// Encrypted says that the protocol is inside of TLS. The certificate was not verified.
	Encrypted bool
	// WantsCertificate says that the port asks its clients for a certificate, and answered nothing without one.
	WantsCertificate bool
	// Status, ContentType and Body are those of an HTTP answer; the body's beginning.
	Status      int
	ContentType string
	Body        []byte
	// Line is the beginning of what came: the status line of HTTP, else text or bytes.
	Line string
}

// Dial opens one connection to the port.
type Dial func(ctx context.Context) (net.Conn, error)

// Patience is how long a port has for each connection that it is asked on.
const Patience = 2 * time.Second

// Ask asks a port for a path by HTTP, and finds out from what comes back what it speaks.
// host goes into the request; path begins with a slash. The end of ctx ends it early, as
// if the port had been silent.
func Ask(ctx context.Context, dial Dial, host, path string) Seen {
	first := askWhileSilent(ctx, dial, host, path)
	switch {
	case first.Protocol.Named():
		return first.Seen
	case first.wantsTLS:
		if s := askTLS(ctx, dial, host, path); s.Encrypted {
			return s.named(ctx, dial)
		}
	case first.Protocol == HTTP2:
		return askHTTP2(ctx, dial, host, path, false)
	case first.Protocol == Closed:
		// A port that closes on plain HTTP may want TLS or HTTP/2, and says neither.
		if s := askTLS(ctx, dial, host, path); s.Encrypted {
			return s.named(ctx, dial)
		}
		if s := askHTTP2(ctx, dial, host, path, false); s.Status != 0 {
			return s
		}
	}
	if first.asked {
		return first.Seen
	}
	return first.named(ctx, dial)
}

// silence is how long a port may be silent before it is asked in other words, too: a page of HTTP is mostly there by
// then.
const silence = 500 * time.Millisecond

// askWhileSilent is askPlain, and asks a port that stays silent in the words of the other protocols meanwhile. Silent
// is a port that none of them moved.
func askWhileSilent(ctx context.Context, dial Dial, host, path string) first {
	var running sync.WaitGroup
	defer running.Wait() // both end soon after ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	plain, others := make(chan first, 1), make(chan Protocol, 1)
	running.Go(func() { plain <- askPlain(ctx, dial, host, path) })
	select {
	case f := <-plain:
		return f
	case <-time.After(silence):
	}
	running.Go(func() { others <- askOthers(ctx, dial) })
	select {
	case f := <-plain:
		if f.Protocol == Silent {
			f.Protocol, f.asked = cmp.Or(<-others, Silent), true
		}
		return f
	case p := <-others:
		if p != "" {
			return first{Seen: Seen{Protocol: p}}
		}
		f := <-plain
		f.asked = f.Protocol == Silent
		return f
	}
}

// askTLS shakes hands, and asks inside. Encrypted is false if the port speaks no TLS.
func askTLS(ctx context.Context, dial Dial, host, path string) Seen {
	var wants atomic.Bool
	s := askPlain(ctx, overTLS(dial, &wants, "http/1.1"), host, path)
	if s.Protocol == HTTP || s.Protocol.Named() {
		s.Encrypted = true
		return s.Seen
	}
	if s.Protocol == Absent && !s.refused {
		return s.Seen // there was no handshake
	}
	// It may take HTTP/2 only: the handshake went wrong for want of a common protocol, or
	// what came was no HTTP/1.1.
	if two := askHTTP2(ctx, dial, host, path, true); two.Status != 0 {
		return two
	}
	return Seen{Protocol: TLS, Encrypted: true, WantsCertificate: wants.Load(), Line: s.Line}
}

// String describes what was seen, to follow "it".
func (s Seen) String() string {
	text := "speaks " + string(s.Protocol)
	switch s.Protocol {
	case Closed:
		return "closed the connection without an answer"
	case Silent:
		return fmt.Sprintf("was silent for %v", Patience)
	case Absent:
		return "took no connection"
	case HTTP:
		if s.Encrypted {
			text = "speaks TLS"
		} else {
			text = "speaks HTTP"
		}
	case Other:
		return fmt.Sprintf("answered %.60q", s.Line)
	case TLS:
		if s.WantsCertificate {
			text += ", and wants a client's certificate"
		}
	default:
		if s.Encrypted {
			text += " over TLS"
		}
	}
	if s.Line != "" {
		text += fmt.Sprintf(" (it answered %.60q)", s.Line)
	}
	return text
}
