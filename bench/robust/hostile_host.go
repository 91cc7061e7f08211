package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"time"
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
					e.server.Serve(g)
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

// hear reads what is there, at least a byte, and says whether the connection lives.
func (g *guest) hear() bool {
	_, err := g.Read(make([]byte, 64<<10))
	return err == nil
}

// say writes, and says whether the connection lives.
func (g *guest) say(data []byte) bool {
	_, err := g.Write(data)
	return err == nil
}

// says writes text.
func (g *guest) says(text string) bool { return g.say([]byte(text)) }

// hold reads on and answers nothing, until the other side ends.
func (g *guest) hold() { _, _ = io.Copy(io.Discard, g.Conn) }

// freeze does nothing, until the server ends.
func (g *guest) freeze() { <-g.ctx.Done() }

// drip writes a byte a second.
func (g *guest) drip(data []byte) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for i := range data {
		if !g.say(data[i : i+1]) {
			return
		}
		select {
		case <-tick.C:
		case <-g.ctx.Done():
			return
		}
	}
	g.hold()
}

// reset ends the connection by RST in place of FIN.
func (g *guest) reset() {
	c := g.Conn
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetLinger(0) // then Close resets
		_ = t.Close()
	}
}

// noise is n random bytes.
func (g *guest) noise(n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(g.random.Uint32())
	}
	return data
}

// request reads one request of HTTP/1.1 without a body, byte by byte so that it takes no
// more.
func (g *guest) request() error {
	const most = 64 << 10
	end := 0
	for range most {
		var b [1]byte
		if _, err := io.ReadFull(g.Conn, b[:]); err != nil {
			return err
		}
		switch {
		case b[0] == '\n':
			end++
		case b[0] != '\r':
			end = 0
		}
		if end == 2 {
			return nil
		}
	}
	return errors.New("the head of a request is too long")
}
