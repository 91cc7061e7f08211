package robust

import (
	"context"
	"crypto/tls"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"sync"
	"sync/atomic"
)

// host is a hostile server at work.
type host struct {
	listener        net.Listener
	accepted, right atomic.Int64
	stop            context.CancelFunc
	work            sync.WaitGroup // of the accepting goroutine and one for each connection; close waits for all
}

// open starts the server of an encounter on a port of this machine.
func open(e encounter, seed uint64) (*host, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start hostile server: %w", err)
	}
	s := schemes[e.scheme]
	if s.tls && !e.server.Raw {
		l = tls.NewListener(l, certificate(s.http2))
	}
	ctx, stop := context.WithCancel(context.Background())
	h := &host{listener: l, stop: stop}
	if e.server.Deaf {
		return h, nil
	}
	h.work.Go(func() {
		for number := uint64(0); ; number++ {
			c, err := l.Accept()
			if err != nil {
				return // closed
			}
			h.accepted.Add(1)
			random := rand.New(rand.NewPCG(seed, number))
			h.work.Go(func() {
				defer c.Close()
				end := context.AfterFunc(ctx, func() { c.Close() })
				defer end()
				g := &guest{Conn: c, scheme: e.scheme, random: random, right: &h.right, ctx: ctx}
				if g.handshake() {
					g.take(e.server.Serve)
				}
			})
		}
	})
	return h, nil
}

func (h *host) address() string { return h.listener.Addr().String() }

// close ends the server and all its connections.
func (h *host) close() {
	h.stop()
	h.listener.Close()
	h.work.Wait()
}

// certificate is one that no client trusts; hone is told not to look.
func certificate(http2 bool) *tls.Config {
	s := httptest.NewUnstartedServer(nil)
	s.StartTLS()
	defer s.Close()
	c := &tls.Config{Certificates: s.TLS.Certificates, NextProtos: []string{"http/1.1"}}
	if http2 {
		c.NextProtos = []string{"h2"}
	}
	return c
}

// guest is one connection to a hostile server.
type guest struct {
	net.Conn
	scheme string
	random *rand.Rand
	right  *atomic.Int64
	ctx    context.Context
}

// handshake shakes hands where there is TLS: only then a reset can be one of the answer.
func (g *guest) handshake() bool {
	c, ok := g.Conn.(*tls.Conn)
	return !ok || c.HandshakeContext(g.ctx) == nil
}

// say writes, and says whether the connection lives.
func (g *guest) say(data []byte) bool {
	_, err := g.Write(data)
	return err == nil
}

// noise is n random bytes.
func (g *guest) noise(n int) []byte { return noise(g.random, n) }

func noise(random *rand.Rand, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	return data
}
