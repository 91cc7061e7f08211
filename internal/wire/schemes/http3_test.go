package schemes_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/internal/wire/tap"
	"github.com/gohone/hone/load"
)

// h3Server is quic-go's server of HTTP/3.
type h3Server struct {
	*http3.Server
	conn *net.UDPConn
	url  string
}

// listenUDP is a free UDP port.
func listenUDP(t *testing.T) *net.UDPConn {
	t.Helper()
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func serveHTTP3(t *testing.T, cert tls.Certificate, handler http.HandlerFunc) *h3Server {
	t.Helper()
	return serveHTTP3At(t, listenUDP(t), cert, handler, &quic.Config{})
}

func serveHTTP3At(t *testing.T, conn *net.UDPConn, cert tls.Certificate, handler http.HandlerFunc,
	config *quic.Config) *h3Server {
	t.Helper()
	s := &h3Server{conn: conn, url: "https://" + conn.LocalAddr().String(), Server: &http3.Server{
		Handler: handler, TLSConfig: http3.ConfigureTLSConfig(&tls.Config{Certificates: []tls.Certificate{cert}}),
		QUICConfig: config,
	}}
	var wg sync.WaitGroup
	wg.Go(func() { _ = s.Serve(conn) }) // it ends with Close
	t.Cleanup(func() {
		_ = s.Close()
		conn.Close()
		wg.Wait()
	})
	return s
}

// insecure3 are the options of a client that takes any certificate.
func insecure3(o wire.Options) wire.Options {
	o.HTTP3, o.TLS.Insecure = true, true
	return o
}

func TestHTTP3LoadsAServer(t *testing.T) {
	ca := newAuthority(t)
	var bad atomic.Int64
	large := strings.Repeat("large", 200_000)
	s := serveHTTP3(t, ca.issue(t, time.Now().Add(time.Hour), "127.0.0.1"),
		func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			switch {
			case r.URL.Path == "/echo":
				w.Write(body)
			case r.URL.Path == "/chunked":
				for range 3 {
					io.WriteString(w, strings.Repeat("x", 5000))
					w.(http.Flusher).Flush()
				}
				w.Header().Set(http.TrailerPrefix+"Sum", "1")
			case r.URL.Path == "/empty":
				w.WriteHeader(http.StatusNoContent)
			case r.URL.Path == "/early":
				w.WriteHeader(http.StatusEarlyHints)
				io.WriteString(w, "hello")
			case r.URL.Path == "/large":
				io.WriteString(w, large)
			case r.URL.Path == "/feed" && (r.URL.Query().Get("q") != r.Header.Get("X-Name") ||
				string(body) != "name="+r.Header.Get("X-Name")):
				bad.Add(1)
			default:
				if r.Host != "127.0.0.1:"+portOf(r) || r.UserAgent() != "hone" || r.Proto != "HTTP/3.0" {
					bad.Add(1)
				}
				io.WriteString(w, `{"hello": "you"}`)
			}
		})
	size := func(n int64) *int64 { return &n }
	long := strings.Repeat("n", 300)
	for _, c := range []struct {
		path  string
		o     wire.Options
		depth int
	}{
		{"/", wire.Options{}, 1},
		{"/", wire.Options{Expect: wire.Expect{JSON: "hello=you", Status: []string{"200"}}}, 16},
		{"/", wire.Options{Method: "HEAD"}, 4},
		{"/echo", wire.Options{Body: []byte("ping"), Expect: wire.Expect{Length: size(4), Body: "ping"}}, 4},
		{"/echo", wire.Options{Body: []byte(large), Expect: wire.Expect{Length: size(int64(len(large)))}}, 3},
		{"/chunked", wire.Options{Expect: wire.Expect{Length: size(15000)}}, 2},
		{"/empty", wire.Options{}, 2},
		{"/early", wire.Options{Expect: wire.Expect{Body: "hello"}}, 2},
		{"/large", wire.Options{Expect: wire.Expect{Length: size(int64(len(large)))}}, 4},
		{"/feed?q={name}", wire.Options{Body: []byte("name={name}"),
			Headers: []string{"X-Name: {name}", "Authorization: secret"},
			Feed:    table("name", "Ann", "Bob", "a b/c", long)}, 3},
	} {
		n := uint64(120)
		if len(c.o.Body) > 1000 || c.path == "/large" { // more than the windows of a stream
			n = 18
		}
		wantRight(t, c.path, run(t, s.url+c.path, insecure3(c.o), load.Plan{Connections: 3, Depth: c.depth}, n), n)
	}
	mix := insecure3(wire.Options{Requests: []wire.Request{{}, {Path: "/empty", Weight: 2},
		{Path: "/chunked", Weight: 1}}})
	all := run(t, s.url+"/", mix, load.Plan{Connections: 3, Depth: 3}, 120)
	wantRight(t, "a mix", all, 120)
	if got := []uint64{all.Targets[0].Answered, all.Targets[1].Answered, all.Targets[2].Answered}; got[0]+got[1]+
		got[2] != 120 || got[1] < 57 || got[1] > 63 {
		t.Errorf("the targets have %d of 120 answers, want a quarter, half and a quarter", got)
	}
	trusted := wire.Options{HTTP3: true, TLS: wire.TLS{CAs: ca.file}}
	wantRight(t, "trusted", run(t, s.url+"/empty", trusted, load.Plan{Connections: 2, Depth: 1}, 10), 10)
	if bad.Load() > 0 {
		t.Errorf("%d requests were not as meant", bad.Load())
	}
}

func portOf(r *http.Request) string {
	_, port, _ := net.SplitHostPort(r.Context().Value(http.LocalAddrContextKey).(net.Addr).String())
	return port
}

func TestHTTP3CountsWrongAnswersByCause(t *testing.T) {
	ca := newAuthority(t)
	s := serveHTTP3(t, ca.issue(t, time.Now().Add(time.Hour), "127.0.0.1"),
		func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/status":
				w.WriteHeader(http.StatusServiceUnavailable)
			case "/abort":
				panic(http.ErrAbortHandler)
			default:
				io.WriteString(w, "hello")
			}
		})
	size := int64(4)
	for _, c := range []struct {
		path  string
		o     wire.Options
		cause load.Cause
	}{
		{"/status", wire.Options{}, load.WrongStatus},
		{"/abort", wire.Options{}, load.WrongStatus},
		{"/", wire.Options{Expect: wire.Expect{Status: []string{"204"}}}, load.WrongStatus},
		{"/", wire.Options{Expect: wire.Expect{Length: &size}}, load.WrongLength},
		{"/", wire.Options{Expect: wire.Expect{Body: "bye"}}, load.WrongBody},
	} {
		tally := run(t, s.url+c.path, insecure3(c.o), load.Plan{Connections: 2, Depth: 3}, 30)
		if tally.Failed != 30 || tally.Causes[c.cause] != 30 || tally.Reconnects != 0 {
			t.Errorf("%s: %d failed, %d of %v, %d reconnects, want 30 failed of that cause on the first connections",
				c.path, tally.Failed, tally.Causes[c.cause], c.cause, tally.Reconnects)
		}
	}
}

func TestHTTP3WithheldAnswersTimeOut(t *testing.T) {
	ca := newAuthority(t)
	var asked atomic.Int64
	s := serveHTTP3(t, ca.issue(t, time.Now().Add(time.Hour), "127.0.0.1"),
		func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) == 3 {
				<-r.Context().Done()
			}
		})
	tally := run(t, s.url, insecure3(wire.Options{}),
		load.Plan{Connections: 1, Depth: 1, RequestTimeout: 100 * time.Millisecond}, 10)
	if tally.Answered != 9 || tally.Causes[load.Timeout] != 1 || tally.Reconnects != 1 {
		t.Errorf("answered %d, %d timeouts, %d reconnects, want 9, 1 and 1", tally.Answered, tally.Causes[load.Timeout],
			tally.Reconnects)
	}
}

// A server that takes few streams at a time gets no more, and its limit is told.
func TestHTTP3KeepsTheLimitOfStreams(t *testing.T) {
	ca := newAuthority(t)
	var now, most atomic.Int64
	s := serveHTTP3At(t, listenUDP(t), ca.issue(t, time.Now().Add(time.Hour), "127.0.0.1"),
		func(w http.ResponseWriter, r *http.Request) {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			io.WriteString(w, "x")
			now.Add(-1)
		}, &quic.Config{MaxIncomingStreams: 5})
	o := insecure3(wire.Options{})
	target := parse(t, s.url, o)
	session, err := load.Open(t.Context(), load.Plan{Connections: 1, Depth: 40, Timeout: 20 * time.Second}, target,
		target.Dialer(nil))
	if err != nil {
		t.Fatal(err)
	}
	var all load.Tally
	if err := session.Run(t.Context(), load.Stretch{Schedule: load.Schedule{Requests: 300}, Drain: 20 * time.Second},
		all.Add); err != nil {
		t.Error(err)
	}
	if _, err := session.Close(); err != nil {
		t.Error(err)
	}
	wantRight(t, "limit", all, 300)
	if most.Load() > 5 {
		t.Errorf("%d requests at a time, the server takes 5", most.Load())
	}
	if notes := strings.Join(target.Notes(), "\n"); !strings.Contains(notes, "takes 5 requests at a time") {
		t.Errorf("notes %q do not name the limit", notes)
	}
}

// A server that ends in good order lets requests under way be answered; the connections are replaced by those to the
// one that follows it.
func TestHTTP3ConnectionsAreReplacedAfterGoAway(t *testing.T) {
	ca := newAuthority(t)
	cert := ca.issue(t, time.Now().Add(time.Hour), "127.0.0.1")
	conn := listenUDP(t)
	// One socket, two servers one after the other: a transport of QUIC hands new connections to the one that listens.
	transport := &quic.Transport{Conn: conn}
	defer conn.Close()
	defer transport.Close()
	config := http3.ConfigureTLSConfig(&tls.Config{Certificates: []tls.Certificate{cert}})
	begin := func(handler http.HandlerFunc) (end func()) {
		l, err := transport.ListenEarly(config, &quic.Config{})
		if err != nil {
			t.Error(err)
			return func() {}
		}
		s := &http3.Server{Handler: handler}
		var wg sync.WaitGroup
		wg.Go(func() { _ = s.ServeListener(l) })
		return func() {
			l.Close()
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			if err := s.Shutdown(ctx); err != nil {
				t.Errorf("shut down: %v", err)
			}
			wg.Wait()
		}
	}
	var served, servedAfter atomic.Int64
	half := make(chan struct{})
	first := begin(func(w http.ResponseWriter, r *http.Request) {
		if served.Add(1) == 50 {
			close(half)
		}
		io.WriteString(w, "first")
	})
	var second func()
	var wg sync.WaitGroup
	wg.Go(func() {
		<-half
		first()
		second = begin(func(w http.ResponseWriter, r *http.Request) {
			servedAfter.Add(1)
			io.WriteString(w, "second")
		})
	})
	tally := run(t, "https://"+conn.LocalAddr().String(), insecure3(wire.Options{}),
		load.Plan{Connections: 2, Depth: 4}, 400)
	wg.Wait()
	second()
	if tally.Answered+tally.Failed+tally.Unsent != 400 || tally.Stray > 0 || tally.Failed > 8 ||
		tally.Failed != tally.Causes[load.Closed] {
		t.Errorf("want 400 in all, and no more than what was under way lost: %+v", tally.Counts)
	}
	if got := served.Load() + servedAfter.Load(); got < int64(tally.Answered) || servedAfter.Load() == 0 {
		t.Errorf("served %d and %d, answered %d", served.Load(), servedAfter.Load(), tally.Answered)
	}
}

// The kernel tells that the program behind the port is gone: the end comes before any timeout of QUIC.
func TestHTTP3NoticesThatTheServerDied(t *testing.T) {
	ca := newAuthority(t)
	asked := make(chan struct{}, 1)
	s := serveHTTP3(t, ca.issue(t, time.Now().Add(time.Hour), "127.0.0.1"),
		func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/last" {
				asked <- struct{}{}
				<-r.Context().Done()
			}
		})
	target := parse(t, s.url+"/last", insecure3(wire.Options{}))
	session, err := load.Open(t.Context(), load.Plan{Connections: 1, Depth: 1, Timeout: 20 * time.Second}, target,
		target.Dialer(nil))
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		<-asked
		s.conn.Close() // as the end of the process does: no goodbye
	}()
	var all load.Tally
	began := time.Now()
	if err := session.Run(t.Context(), load.Stretch{Schedule: load.Schedule{Requests: 1}, Drain: 15 * time.Second},
		all.Add); err != nil {
		t.Error(err)
	}
	if _, err := session.Close(); err != nil {
		t.Error(err)
	}
	if all.Failed != 1 || all.Causes[load.Reset] != 1 {
		t.Errorf("failed %d by %v after %v, want one that was reset", all.Failed, all.Causes, time.Since(began))
	}
}

func TestHTTP3SaysWhatIsWrongWithAServer(t *testing.T) {
	ca := newAuthority(t)
	hour := time.Now().Add(time.Hour)
	none := func(http.ResponseWriter, *http.Request) {}
	good := serveHTTP3(t, ca.issue(t, hour, "127.0.0.1"), none)
	other := serveHTTP3(t, ca.issue(t, hour, "a.test"), none)
	versions := serveHTTP3At(t, listenUDP(t), ca.issue(t, hour, "127.0.0.1"), none,
		&quic.Config{Versions: []quic.Version{quic.Version2}})
	gone := listenUDP(t)
	gone.Close()
	silent := listenUDP(t)
	defer silent.Close()
	foreign := listenUDP(t)
	defer foreign.Close()
	l, err := quic.Listen(foreign, &tls.Config{Certificates: []tls.Certificate{ca.issue(t, hour, "127.0.0.1")},
		NextProtos: []string{"doq"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	trusted := wire.TLS{CAs: ca.file}
	for _, c := range []struct {
		name, url  string
		tls        wire.TLS
		kind       fail.Kind
		text, hint string
	}{
		{"unknown authority", good.url, wire.TLS{}, fail.Environment, "no trusted authority has signed it",
			"--set tls.ca=FILE"},
		{"another name", other.url, trusted, fail.Environment, `not made out to "127.0.0.1" but to a.test`,
			"--set tls.server-name=NAME"},
		{"nothing listens", "https://" + gone.LocalAddr().String(), trusted, fail.Subject,
			"nothing listens on UDP port", "leave out --set http3"},
		{"no answer", "https://" + silent.LocalAddr().String(), trusted, fail.Subject, "no answer from UDP",
			"a longer timeout"},
		{"another version", versions.url, trusted, fail.BadInput, "does not speak version 1 of QUIC",
			"leave out --set http3"},
		{"another protocol", "https://" + foreign.LocalAddr().String(), trusted, fail.BadInput, "offers no h3 in ALPN",
			"NextProtos"},
	} {
		target := parse(t, c.url, wire.Options{HTTP3: true, TLS: c.tls})
		patience := 10 * time.Second
		if c.name == "no answer" {
			patience = 100 * time.Millisecond
		}
		_, err := load.Open(t.Context(), load.Plan{Connections: 1, Depth: 1, Timeout: patience}, target,
			target.Dialer(nil))
		var f *fail.Error
		if !errors.As(err, &f) || f.Kind != c.kind || !strings.Contains(err.Error(), c.text) ||
			!strings.Contains(f.Hint, c.hint) {
			t.Errorf("%s: got %v with hint %q, want %q with hint %q", c.name, err, fail.HintOf(err), c.text, c.hint)
		}
	}
}

func TestHTTP3RefusesWhatItCannotDo(t *testing.T) {
	for name, c := range map[string]struct {
		url, text string
		o         wire.Options
	}{
		"plain":  {"http://127.0.0.1:1/", "HTTP/3 does not belong to http", wire.Options{}},
		"two":    {"https://127.0.0.1:1/", "exclude each other", wire.Options{HTTP2: true}},
		"socket": {"https+unix:/run/x.sock", "goes over UDP", wire.Options{}},
		"steps": {"https://127.0.0.1:1/", "HTTP/1.1 only",
			wire.Options{Sequence: true, Requests: []wire.Request{{Path: "/"}}}},
		"connection": {"https://127.0.0.1:1/", "does not exist in HTTP/3",
			wire.Options{Headers: []string{"Connection: close"}}},
	} {
		c.o.HTTP3 = true
		_, err := schemes.Parse(c.url, c.o)
		if err == nil || !strings.Contains(err.Error(), c.text) || fail.HintOf(err) == "" {
			t.Errorf("%s: got %v with hint %q, want %q", name, err, fail.HintOf(err), c.text)
		}
	}
	if target := parse(t, "https://127.0.0.1:1/", wire.Options{HTTP3: true}); target.Network != "udp" {
		t.Errorf("network %s", fmt.Sprint(target.Network))
	}
}

// The tap reads whole answers of HTTP/3, without what differs by nature.
func TestTapReadsAnswersOfHTTP3(t *testing.T) {
	ca := newAuthority(t)
	var count atomic.Int64
	s := serveHTTP3(t, ca.issue(t, time.Now().Add(time.Hour), "127.0.0.1"), sampleHandler(&count))
	for path, length := range map[string]int64{"/": int64(len("this is http://127.0.0.1:{port}/")), "/chunked": 33,
		"/large": 1_000_000, "/none": 0} {
		contents := map[uint64]bool{}
		n := uint64(160)
		if path == "/large" {
			n = 40
		}
		all := sampledOf(t, "portable", s.url+path+"?secret=1", insecure3(wire.Options{}), 1, n)
		if len(all) < 16 {
			t.Errorf("%s: %d answers", path, len(all))
		}
		for _, one := range all {
			if one.Length != length || one.What != "GET "+path ||
				one.Code != map[bool]int{true: 204, false: 200}[length == 0] {
				t.Fatalf("%s: read %+v", path, one)
			}
			if i := slices.IndexFunc(one.Fields, func(f tap.SampledField) bool {
				return f.Name == "Set-Cookie"
			}); i < 0 || !slices.Equal(one.Fields, all[0].Fields) {
				t.Fatalf("%s: fields %+v, want %+v: values that differ by nature are masked", path, one.Fields,
					all[0].Fields)
			}
			contents[one.Content] = true
		}
		if len(contents) != 1 {
			t.Errorf("%s: %d different contents", path, len(contents))
		}
	}
}

// Streams have their time to first byte, their messages and the gaps between them over HTTP/3, too; one that a request
// ends leaves the others on its connection.
func TestHTTP3StreamsAreTimedAndCounted(t *testing.T) {
	ca := newAuthority(t)
	s := serveHTTP3(t, ca.issue(t, time.Now().Add(time.Hour), "127.0.0.1"), serveStream)
	for _, c := range []struct {
		path     string
		streams  wire.Streams
		messages uint64 // of each request
		cause    load.Cause
	}{
		{"/events?n=3", wire.Streams{}, 3, load.OK},
		{"/events?n=0", wire.Streams{Messages: 4}, 4, load.OK},
		{"/chunks?n=3", wire.Streams{All: true}, 3, load.OK},
		{"/events?n=2&silent=1", wire.Streams{}, 2, load.EventStream},
	} {
		o := insecure3(wire.Options{Streams: c.streams})
		plan := allowed(t, s.url+c.path, o, load.Plan{Connections: 1, Depth: 2, RequestTimeout: time.Second})
		got := run(t, s.url+c.path, o, plan, 4)
		if c.cause == load.OK && (got.Answered != 4 || got.Reconnects != 0) ||
			c.cause != load.OK && got.Causes[c.cause] != 4 {
			t.Errorf("%s: %d reconnects, %+v, want 4 of %v", c.path, got.Reconnects, got.Counts, c.cause)
		}
		if got.Messages != 4*c.messages || got.FirstByte.TotalCount() != 4 ||
			time.Duration(got.FirstByte.Min()) < firstAfter {
			t.Errorf("%s: %d messages, %d first bytes from %v on", c.path, got.Messages, got.FirstByte.TotalCount(),
				time.Duration(got.FirstByte.Min()))
		}
	}
}
