package recognise

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// listen serves raw connections until the test ends and returns how to dial, and how many
// connections there were.
func listen(t *testing.T, serve func(net.Conn)) (Dial, *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() { // ends with the listener
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { // ends with the test, which closes its side
				defer c.Close()
				serve(c)
			}()
		}
	}()
	return counting(l.Addr().String())
}

func counting(address string) (Dial, *atomic.Int64) {
	var n atomic.Int64
	return func(ctx context.Context) (net.Conn, error) {
		n.Add(1)
		var d net.Dialer
		return d.DialContext(ctx, "tcp", address)
	}, &n
}

// web serves a handler with some protocols.
func web(t *testing.T, secure bool, protocols func(*http.Protocols), h http.HandlerFunc) (Dial, *atomic.Int64) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.Protocols = new(http.Protocols)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	protocols(s.Config.Protocols)
	if secure {
		s.EnableHTTP2 = s.Config.Protocols.HTTP2()
		if s.EnableHTTP2 && !s.Config.Protocols.HTTP1() {
			s.TLS = &tls.Config{NextProtos: []string{"h2"}}
		}
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return counting(s.Listener.Addr().String())
}

func one(p *http.Protocols)    { p.SetHTTP1(true) }
func two(p *http.Protocols)    { p.SetHTTP2(true) }
func clear2(p *http.Protocols) { p.SetUnencryptedHTTP2(true) }

func hello(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }

func greet(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/grpc")
	w.Header().Set("Grpc-Status", "12")
}

// reading answers the first bytes with a text.
func reading(answer string) func(net.Conn) {
	return func(c net.Conn) {
		_, _ = bufio.NewReader(c).ReadByte()
		_, _ = io.WriteString(c, answer)
		_, _ = io.Copy(io.Discard, c)
	}
}

func TestAskTellsProtocolsApart(t *testing.T) {
	type server struct {
		dial  Dial
		conns *atomic.Int64
	}
	of := func(d Dial, n *atomic.Int64) server { return server{d, n} }
	for _, c := range []struct {
		name   string
		server server
		want   Protocol
		secure bool
		most   int64 // connections
		says   string
	}{
		{"HTTP", of(web(t, false, one, hello)), HTTP, false, 1, "speaks HTTP"},
		{"both kinds of HTTP", of(web(t, false, func(p *http.Protocols) { one(p); clear2(p) }, hello)), HTTP, false, 1, "speaks HTTP"},
		{"HTTPS", of(web(t, true, one, hello)), HTTP, true, 2, "speaks TLS"},
		{"HTTPS with HTTP/2", of(web(t, true, func(p *http.Protocols) { one(p); two(p) }, hello)), HTTP, true, 2, "speaks TLS"},
		{"HTTP/2 by ALPN only", of(web(t, true, two, hello)), HTTP2, true, 3, "HTTP/2 only over TLS"},
		{"HTTP/2 with prior knowledge", of(web(t, false, clear2, hello)), HTTP2, false, 3, "HTTP/2 only"},
		{"gRPC", of(web(t, false, clear2, greet)), GRPC, false, 3, "speaks gRPC"},
		{"gRPC over TLS", of(web(t, true, two, greet)), GRPC, true, 3, "speaks gRPC over TLS"},
		{"Redis", of(listen(t, reading("-ERR wrong number of arguments for 'get' command\r\n"))), Redis, false, 1, "RESP"},
		{"a Redis that wants a password", of(listen(t, reading("-NOAUTH Authentication required.\r\n"))), Redis, false, 1, "RESP"},
		{"NATS", of(listen(t, func(c net.Conn) {
			fmt.Fprint(c, "INFO {\"server_id\":\"X\"}\r\n")
			_, _ = io.Copy(io.Discard, c)
		})), NATS, false, 1, "NATS"},
		{"a banner", of(listen(t, func(c net.Conn) { fmt.Fprint(c, "hello, who is it?\r\n"); _, _ = io.Copy(io.Discard, c) })), Other, false, 1, `answered "hello, who is it?"`},
		{"a short answer", of(listen(t, reading("ERR\r\n"))), Other, false, 1, `answered "ERR"`},
		{"bytes", of(listen(t, reading("\x00\x00\x00\x0e\x81"))), Other, false, 1, `answered "\x00`},
		{"an end without a word", of(listen(t, func(net.Conn) {})), Closed, false, 4 + int64(len(questions)), "without an answer"},
		{"an alert of TLS", of(listen(t, reading("\x15\x03\x01\x00\x02\x02\x0a"))), TLS, true, 3 + int64(len(questions)), "speaks TLS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := Ask(t.Context(), c.server.dial, "127.0.0.1:1", "/")
			if s.Protocol != c.want || s.Encrypted != c.secure || !strings.Contains(s.String(), c.says) {
				t.Errorf("it %s: %q, encrypted %v; want %q, %v, with %q", s, s.Protocol, s.Encrypted, c.want, c.secure, c.says)
			}
			if n := c.server.conns.Load(); n > c.most {
				t.Errorf("asked on %d connections, want %d at most", n, c.most)
			}
		})
	}
}

// A port that wants a client's certificate is told apart from one whose protocol is unknown, and from one that only
// asks for one.
func TestAskSeesThatACertificateIsWanted(t *testing.T) {
	for name, c := range map[string]struct {
		auth    tls.ClientAuthType
		version uint16
		want    bool
	}{
		"TLS 1.3": {tls.RequireAnyClientCert, tls.VersionTLS13, true}, "TLS 1.2": {tls.RequireAnyClientCert, tls.VersionTLS12, true},
		"optional": {tls.RequestClientCert, tls.VersionTLS13, false}, "never": {tls.NoClientCert, tls.VersionTLS13, false},
	} {
		s := httptest.NewUnstartedServer(http.HandlerFunc(hello))
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		s.TLS = &tls.Config{ClientAuth: c.auth, MaxVersion: c.version}
		s.StartTLS()
		t.Cleanup(s.Close)
		dial, _ := counting(s.Listener.Addr().String())
		seen := Ask(t.Context(), dial, "localhost", "/")
		if seen.WantsCertificate != c.want || !seen.Encrypted || (seen.Protocol == HTTP) == c.want {
			t.Errorf("%s: %+v", name, seen)
		}
		if strings.Contains(seen.String(), "wants a client's certificate") != c.want {
			t.Errorf("%s: it %s", name, seen)
		}
	}
}

func TestAskGivesUpOnSilence(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dial, conns := listen(t, func(c net.Conn) {
		_, _ = bufio.NewReader(c).ReadString('\n')
		cancel() // it was asked: no reason to wait for the end of the patience
		_, _ = io.Copy(io.Discard, c)
	})
	if s := Ask(ctx, dial, "h", "/"); s.Protocol != Silent || conns.Load() != 1 {
		t.Errorf("it %s, on %d connections", s, conns.Load())
	}
	gone := func(context.Context) (net.Conn, error) { return nil, net.ErrClosed }
	if s := Ask(t.Context(), gone, "h", "/"); s.Protocol != Absent {
		t.Errorf("it %s, want absent", s)
	}
}

// A stream of events has a head, and that is enough.
func TestAskDoesNotWaitForAStream(t *testing.T) {
	dial, _ := web(t, false, one, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	began := time.Now()
	s := Ask(t.Context(), dial, "h", "/events")
	if s.Protocol != HTTP || s.ContentType != "text/event-stream" || time.Since(began) > Patience {
		t.Errorf("it %s, content %q", s, s.ContentType)
	}
}

func TestUse(t *testing.T) {
	page := func(status int, body string) Seen { return Seen{Protocol: HTTP, Status: status, Body: []byte(body)} }
	for _, c := range []struct {
		seen Seen
		want Use
	}{
		{page(200, "hello"), Serves},
		{page(302, ""), Serves},
		{page(401, ""), Serves},
		{page(405, ""), Serves},
		{page(404, "404 page not found"), Missing},
		{page(503, "not ready"), Missing},
		{page(200, "ok\n"), Monitors},
		{page(200, `{"status":"UP"}`), Monitors},
		{page(200, `{"status":"shipped"}`), Serves},
		{page(200, "<a href=\"/metrics\">Metrics</a>"), Monitors},
		{page(200, "<p>see /debug/pprof/</p>"), Monitors},
		{Seen{Protocol: GRPC, Status: 200}, Calls},
		{Seen{Protocol: Silent}, Foreign},
	} {
		if got := c.seen.Use(); got != c.want {
			t.Errorf("%d %q: use %d, want %d", c.seen.Status, c.seen.Body, got, c.want)
		}
	}
	if help := page(200, "try /items or /orders"); !help.Lists([]string{"/items", "/orders"}) || help.Lists([]string{"/items"}) {
		t.Error("a help text is not told from a page")
	}
}

func FuzzClassify(f *testing.F) {
	for _, s := range []string{"HTTP/1.1 ", "-ERR wron", "INFO {\"a", "\x15\x03\x03\x00", "\x00\x00\x06\x04\x00\x00\x00\x00\x00", ""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, head []byte) {
		got, decided := classify(head, io.EOF)
		if decided != (got.Protocol != "") {
			t.Errorf("%q: decided %v, protocol %q", head, decided, got.Protocol)
		}
		_ = got.String()
	})
}
