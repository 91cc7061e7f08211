package schemes_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/services/chat"
	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/rpc"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// flooding is a server that sends front once a request is there, and then more for ever, without a look at what else it
// is sent.
type flooding struct {
	scheme      string
	path        string // after the address
	options     wire.Options
	head        bool // front comes after the head of an HTTP request
	greets      bool // the flood comes before the first request, so that the connect fails
	front, more string
}

const (
	h2Settings = "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	wsFront    = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
	chunked    = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	events     = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
)

// overTLS are the schemes of servers that need a certificate.
var overTLS = []string{"https", "grpcs", "wss", "rediss"}

// floods has what is small and means little to read, of each protocol.
func floods(t *testing.T) map[string]flooding {
	h2 := wire.Options{HTTP2: true}
	calls := wire.Options{GRPC: wire.GRPC{ProtoSet: testServiceSet(t)}}
	const method = "/grpc.testing.TestService/EmptyCall"
	// of a in r: an empty text in zlib's form
	broadcast := chat.AppendJoin(nil, 1, "\x01a\x01r\x78\x01\x01\x00\x00\xff\xff\x00\x00\x00\x01")
	broadcast[4] = byte(chat.CommandBroadcast)
	return map[string]flooding{
		"http: 100 Continue":         {scheme: "http", path: "/", head: true, more: "HTTP/1.1 100 Continue\r\n\r\n"},
		"http: chunks of one byte":   {scheme: "http", path: "/", head: true, front: chunked, more: "1\r\nx\r\n"},
		"http: comments of a stream": {scheme: "http", path: "/", head: true, front: events, more: ":\n"},
		"http: fields of a head": {scheme: "http", path: "/", head: true, front: "HTTP/1.1 200 OK\r\n",
			more: "a:\r\n"},
		"http/2: pings": {scheme: "http", path: "/", options: h2, front: h2Settings,
			more: "\x00\x00\x08\x06\x00\x00\x00\x00\x00hone hon"},
		"http/2: answers to pings": {scheme: "http", path: "/", options: h2, front: h2Settings,
			more: "\x00\x00\x08\x06\x01\x00\x00\x00\x00hone hon"},
		"http/2: settings": {scheme: "http", path: "/", options: h2, front: h2Settings, more: h2Settings},
		"http/2: priorities": {scheme: "http", path: "/", options: h2, front: h2Settings,
			more: "\x00\x00\x05\x02\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00"},
		"http/2: unknown frames": {scheme: "http", path: "/", options: h2, front: h2Settings,
			more: "\x00\x00\x00\x50\x00\x00\x00\x00\x00"},
		"http/2: continued header": {scheme: "http", path: "/", options: h2,
			front: h2Settings + "\x00\x00\x01\x01\x00\x00\x00\x00\x01\x88",
			more:  "\x00\x00\x00\x09\x00\x00\x00\x00\x01"},
		"http/2: empty data": {scheme: "http", path: "/", options: h2,
			front: h2Settings + "\x00\x00\x01\x01\x04\x00\x00\x00\x01\x88",
			more:  "\x00\x00\x00\x00\x00\x00\x00\x00\x01"},
		"https: 100 Continue": {scheme: "https", path: "/", head: true, more: "HTTP/1.1 100 Continue\r\n\r\n"},
		"http/3: unknown frames": {scheme: "https", path: "/", options: wire.Options{HTTP3: true},
			more: "\x21\x00"},
		"unix: 100 Continue": {scheme: "unix", path: ":/", head: true, more: "HTTP/1.1 100 Continue\r\n\r\n"},
		"grpc: settings": {scheme: "grpc", path: method, options: calls, front: h2Settings,
			more: h2Settings},
		"grpc: empty data": {scheme: "grpc", path: method, options: calls,
			front: h2Settings + "\x00\x00\x01\x01\x04\x00\x00\x00\x01\x88",
			more:  "\x00\x00\x00\x00\x00\x00\x00\x00\x01"},
		"grpcs: unknown frames": {scheme: "grpcs", path: method, options: calls, front: h2Settings,
			more: "\x00\x00\x00\x50\x00\x00\x00\x00\x00"},
		"ws: continuations": {scheme: "ws", path: "/", options: wire.Options{Body: []byte("x")}, head: true,
			greets: true, front: wsFront + "\x01\x00", more: "\x00\x00"},
		"ws: pongs": {scheme: "ws", path: "/", options: wire.Options{Body: []byte("x")}, head: true,
			front: wsFront, more: "\x8a\x00"},
		"ws: pings": {scheme: "ws", path: "/", options: wire.Options{Body: []byte("x")}, head: true,
			front: wsFront, more: "\x89\x00"},
		"ws: unasked messages": {scheme: "ws", path: "/", options: wire.Options{Body: []byte("x")}, head: true,
			front: wsFront, more: "\x81\x00"},
		"wss: continuations": {scheme: "wss", path: "/", options: wire.Options{Body: []byte("x")}, head: true,
			greets: true, front: wsFront + "\x01\x00", more: "\x00\x00"},
		"redis: elements": {scheme: "redis", options: wire.Options{Body: []byte("GET x")},
			front: "*1000000000\r\n", more: ":1\r\n"},
		"redis: answers": {scheme: "redis", options: wire.Options{Body: []byte("GET x")}, more: "+\r\n"},
		"rediss: elements": {scheme: "rediss", options: wire.Options{Body: []byte("GET x")},
			front: "*1000000000\r\n", more: ":1\r\n"},
		"framed: answers to nothing": {scheme: "framed",
			more: string(framed.AppendAck(nil, framed.Ack{Command: framed.CommandSubmitAck}))},
		"tcp: empty frames": {scheme: "tcp", options: wire.Options{Body: []byte("\x00\x00\x00\x01x")},
			more: "\x00\x00\x00\x00"},
		"chat: answers to nothing": {scheme: "chat", more: string(chat.AppendAck(nil, 1<<30, chat.Accepted))},
		"rpc: heartbeats": {scheme: "rpc",
			more: string(rpc.AppendHeader(nil, rpc.Header{Kind: rpc.KindHeartbeat, Stream: 65535}))},
		"chat: broadcasts": {scheme: "chat", more: string(broadcast)},
	}
}

// A server that sends for ever what means little ends neither the clock of a load, nor a Ctrl-C, nor memory, in any
// protocol.
func TestNoFloodHoldsALoadUp(t *testing.T) {
	all, tried := floods(t), map[string]bool{}
	for _, f := range all {
		tried[f.scheme] = true
	}
	for _, s := range schemes.All {
		if !tried[s.Name] {
			t.Errorf("no flood of %s:// is tried: add one to floods", s.Name)
		}
	}
	cert := newAuthority(t).issue(t, time.Now().Add(time.Hour), "127.0.0.1")
	for name, f := range all {
		t.Run(name, func(t *testing.T) { f.run(t, cert) })
	}
}

func (f flooding) run(t *testing.T, cert tls.Certificate) {
	server := f.serve(t, cert)
	f.options.TLS.Insecure = slices.Contains(overTLS, f.scheme)
	target := parse(t, f.scheme+server.address+f.path, f.options)
	dial := target.Dialer(nil)
	plan := load.Plan{Connections: 1, Depth: 1, Timeout: 20 * time.Second}
	if f.greets {
		plan.Timeout = 100 * time.Millisecond
	}
	s, err := load.Open(t.Context(), plan, target, dial)
	if f.greets && (errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded)) {
		return
	}
	if err != nil || f.greets {
		t.Fatalf("connect: %v", err)
	}
	stuck := time.AfterFunc(20*time.Second, func() {
		t.Error("the load does not end")
		server.end()
	})
	defer stuck.Stop()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = s.Run(t.Context(), load.Stretch{Schedule: load.ClosedLoop(20 * time.Millisecond),
		Interval: 5 * time.Millisecond}, func(load.Slice) {})
	if err != nil {
		t.Errorf("a load of 20 ms: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	slices := 0
	err = s.Run(ctx, load.Stretch{Schedule: load.ClosedLoop(time.Hour), Interval: 5 * time.Millisecond},
		func(load.Slice) {
			if slices++; slices == 2 {
				cancel()
			}
		})
	if cancel(); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapSys-before.HeapSys) >> 20; grown > 64 {
		t.Errorf("the heap grew by %d MB", grown)
	}
	if _, err := s.Close(); err != nil {
		t.Error(err)
	}
	if sent := server.sent.Load(); sent < 64<<10 {
		t.Errorf("that was not a flood: the server sent %d bytes", sent)
	}
}

// floodServer floods each of its connections until end.
type floodServer struct {
	flooding
	address string // as it stands in a target
	sent    atomic.Int64
	end     func()
}

func (f flooding) serve(t *testing.T, cert tls.Certificate) *floodServer {
	s := &floodServer{flooding: f}
	if f.options.HTTP3 {
		s.serveQUIC(t, cert)
		return s
	}
	network, address := "tcp", "127.0.0.1:0"
	if f.scheme == "unix" {
		network, address = "unix", filepath.Join(t.TempDir(), "s")
	}
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	if s.address = "://" + l.Addr().String(); f.scheme == "unix" {
		s.address = ":" + address
	}
	if slices.Contains(overTLS, f.scheme) {
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{cert},
			NextProtos: []string{"h2", "http/1.1"}})
	}
	var serving sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	s.end = func() { cancel(); l.Close() }
	t.Cleanup(func() { s.end(); serving.Wait() })
	serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer context.AfterFunc(ctx, func() { c.Close() })()
				defer c.Close()
				s.flood(c)
			})
		}
	})
	return s
}

// flood ends with the connection.
func (s *floodServer) flood(c net.Conn) {
	front := s.front
	if s.head {
		r, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		// RFC 6455 section 1.3
		sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
		front = strings.Replace(front, "{accept}", base64.StdEncoding.EncodeToString(sum[:]), 1)
	}
	if _, err := io.WriteString(c, front); err == nil {
		s.repeat(c)
	}
}

// repeat ends with an error of w.
func (s *floodServer) repeat(w io.Writer) {
	many := bytes.Repeat([]byte(s.more), 64<<10/len(s.more))
	for {
		n, err := w.Write(many)
		if s.sent.Add(int64(n)); err != nil {
			return
		}
	}
}

// serveQUIC floods the streams of requests over QUIC.
func (s *floodServer) serveQUIC(t *testing.T, cert tls.Certificate) {
	udp := listenUDP(t)
	transport := &quic.Transport{Conn: udp}
	l, err := transport.Listen(http3.ConfigureTLSConfig(&tls.Config{Certificates: []tls.Certificate{cert}}),
		&quic.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s.address = "://" + udp.LocalAddr().String()
	s.end = sync.OnceFunc(func() { l.Close(); transport.Close(); udp.Close() })
	var serving sync.WaitGroup
	t.Cleanup(func() { s.end(); serving.Wait() })
	serving.Go(func() {
		for {
			c, err := l.Accept(context.Background())
			if err != nil {
				return
			}
			serving.Go(func() { s.floodQUIC(c, &serving) })
		}
	})
}

func (s *floodServer) floodQUIC(c *quic.Conn, serving *sync.WaitGroup) {
	control, err := c.OpenUniStream()
	if err == nil {
		// the type of the stream, and settings: RFC 9114 sections 6.2.1 and 7.2.4
		_, err = io.WriteString(control, "\x00\x04\x00")
	}
	for err == nil {
		var one *quic.Stream
		if one, err = c.AcceptStream(context.Background()); err == nil {
			serving.Go(func() { s.repeat(one) })
		}
	}
}
