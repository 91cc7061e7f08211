package schemes_test

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// http2Handler answers in all the ways that HTTP/2 has, and 400 to what is not as it was
// sent.
func http2Handler(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if r.ProtoMajor != 2 || err != nil || r.Method == "POST" && !bytes.Equal(body, http2Post) ||
		r.Header.Get("X-One") != "1" {
		http.Error(w, "not what was sent", http.StatusBadRequest)
		return
	}
	switch r.URL.Path {
	case "/large":
		for range 10 {
			w.Write(make([]byte, 1<<20))
		}
	case "/empty":
		w.WriteHeader(http.StatusNoContent)
	case "/early":
		w.WriteHeader(http.StatusEarlyHints)
		io.WriteString(w, "late")
	case "/trailers":
		w.Header().Set("Trailer", "X-End")
		io.WriteString(w, "body")
		w.Header().Set("X-End", "yes")
	case "/long-head":
		w.Header().Set("X-Long", strings.Repeat("long ", 10_000))
	case "/goodbye":
		w.Header().Set("Connection", "close") // ends an HTTP/2 connection by GOAWAY
	case "/panic":
		panic(http.ErrAbortHandler) // resets the stream
	case "/wrong":
		http.Error(w, "wrong", http.StatusTeapot)
	default:
		fmt.Fprintf(w, `{"path":%q}`, r.URL.Path)
	}
}

// http2Post is larger than the windows that a server opens at first.
var http2Post = bytes.Repeat([]byte("0123456789abcdef"), 200_000)

// serveHTTP2 starts a server that speaks HTTP/2 without TLS.
func serveHTTP2(t *testing.T, l net.Listener) (url string) {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(http2Handler))
	if l != nil {
		s.Listener.Close()
		s.Listener = l
	}
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

func TestHTTP2LoadsNetHTTPOverBothEngines(t *testing.T) {
	url := serveHTTP2(t, nil)
	for engine := range engines {
		for _, c := range []struct {
			path, method string
			body         []byte
			depth        int
			n            uint64
		}{
			{"/", "", nil, 1, 100}, {"/many", "", nil, 50, 600}, {"/large", "", nil, 2, 6},
			{"/empty", "", nil, 3, 100}, {"/early", "", nil, 3, 100}, {"/trailers", "", nil, 3, 100},
			{"/long-head", "", nil, 3, 12}, {"/large", "HEAD", nil, 2, 50}, {"/post", "", http2Post, 4, 12},
		} {
			o := wire.Options{HTTP2: true, Method: c.method, Headers: []string{"X-One: 1"}, Body: c.body}
			got := fire(t, engine, url+c.path, o, c.depth, c.n)
			wantRight(t, c.method+" "+c.path+" over the "+engine, got, c.n)
		}
		for path, code := range map[string]int{"/wrong": 418, "/panic": 0} {
			got := fire(t, engine, url+path, wire.Options{HTTP2: true, Headers: []string{"X-One: 1"}}, 5, 100)
			if got.Failed != 100 || got.Causes[load.WrongStatus] != 100 || got.Codes[code] != 100 && code != 0 ||
				got.Reconnects > 0 {
				t.Errorf("%s over the %s: want 100 wrong statuses, got %+v, codes %v", path, engine, got.Counts,
					got.Codes)
			}
		}
	}
}

func TestHTTP2TargetsOfAMixTakeTurns(t *testing.T) {
	url := serveHTTP2(t, nil)
	o := wire.Options{HTTP2: true, Headers: []string{"X-One: 1"},
		Requests: []wire.Request{{Weight: 3}, {Path: "/wrong", Weight: 1}}}
	got := fire(t, "event loop", url+"/right", o, 4, 300)
	// Each of the three connections may be in the middle of a round of four at the end.
	if wrong := got.Codes[418]; got.Codes[200]+wrong != 300 || wrong < 72 || wrong > 78 {
		t.Errorf("got codes %v, want a quarter of 300 to be 418, within 3", got.Codes)
	}
}

// Each answer of this server comes with a goodbye, ahead of it or just behind. A request
// that crosses a goodbye is lost, which the server says by leaving it out; nothing else
// goes wrong, and the load goes on over new connections.
func TestHTTP2GoesOnAfterGoodbyes(t *testing.T) {
	url := serveHTTP2(t, nil)
	o := wire.Options{HTTP2: true, Headers: []string{"X-One: 1"}}
	got := fire(t, "event loop", url+"/goodbye", o, 1, 9)
	if got.Answered == 0 || got.Answered+got.Causes[load.Closed] != 9 || got.Renewed+got.Reconnects == 0 {
		t.Errorf("got %+v, %d renewed, %d replaced", got.Counts, got.Renewed, got.Reconnects)
	}
}

func TestHTTP2ServerThatSpeaksHTTP1IsMalformed(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer s.Close()
	got := fire(t, "event loop", s.URL, wire.Options{HTTP2: true}, 1, 3)
	if got.Answered != 0 || got.Causes[load.Malformed] == 0 {
		t.Errorf("got %+v, want malformed answers", got.Counts)
	}
}

func TestHTTP2OverTLSAndUnixSockets(t *testing.T) {
	ca := newAuthority(t)
	secure := serveTLS(t, ca.issue(t, time.Now().Add(time.Hour), "127.0.0.1"), true, http2Handler)
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	serveHTTP2(t, l)
	o := wire.Options{HTTP2: true, Headers: []string{"X-One: 1"}}
	wantRight(t, "unix", run(t, "unix:"+path+":/items", o, load.Plan{Connections: 2, Depth: 8}, 300), 300)
	o.TLS.CAs = ca.file
	wantRight(t, "https", run(t, secure+"/items", o, load.Plan{Connections: 2, Depth: 8}, 300), 300)
	o.Body = http2Post
	wantRight(t, "https with bodies", run(t, secure+"/items", o, load.Plan{Connections: 2, Depth: 3}, 12), 12)
}

func TestUnixSocketsCarryEveryProtocol(t *testing.T) {
	var hits atomic.Int64
	path := filepath.Join(t.TempDir(), "http")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "localhost" && r.RequestURI == "/items?x=1" {
			hits.Add(1)
		}
	}))
	s.Listener.Close()
	s.Listener = l
	s.Start()
	defer s.Close()
	wantRight(t, "unix", run(t, "unix:"+path+":/items?x=1", wire.Options{}, load.Plan{Connections: 2, Depth: 1}, 50),
		50)
	if hits.Load() != 50 {
		t.Errorf("%d requests arrived as they were meant, want 50", hits.Load())
	}

	path = filepath.Join(t.TempDir(), "framed")
	serveFramed(t, "unix", path)
	wantRight(t, "framed", run(t, "framed+unix:"+path, wire.Options{}, load.Plan{Connections: 2, Depth: 4}, 100), 100)
}

func TestHTTP2LoadsNginx(t *testing.T) {
	program, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx not found: install it to run this test")
	}
	ca, dir := newAuthority(t), t.TempDir()
	cert := ca.issue(t, time.Now().Add(time.Hour), "127.0.0.1")
	key, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("cert.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Certificate[0]}))
	write("key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}))
	write("large", make([]byte, 1<<20))
	secure, plain, brief := serveHTTP2Nginx(t, program, dir)
	o := wire.Options{HTTP2: true}
	for _, depth := range []int{1, 20} {
		for path, n := range map[string]uint64{"/large": 60, "/": 400} {
			got := run(t, plain+path, o, load.Plan{Connections: 2, Depth: depth}, n)
			wantRight(t, "nginx "+path, got, n)
			o.TLS.CAs = ca.file
			got = run(t, secure+path, o, load.Plan{Connections: 2, Depth: depth}, n)
			wantRight(t, "nginx over TLS "+path, got, n)
			o.TLS.CAs = ""
		}
	}
	// It says goodbye after each 50 requests of a connection.
	got := run(t, brief, o, load.Plan{Connections: 2, Depth: 1}, 300)
	wantRight(t, "nginx that says goodbye", got, 300)
	if got.Renewed == 0 {
		t.Error("no connection was renewed")
	}
	if got = run(t, plain+"/missing", o, load.Plan{Connections: 1, Depth: 3}, 30); got.Codes[404] != 30 {
		t.Errorf("got codes %v, want 30 x 404", got.Codes)
	}
}

// serveHTTP2Nginx starts an nginx of its own in dir and returns its targets: one with TLS, one
// with prior knowledge, and one more whose connections carry 50 requests.
func serveHTTP2Nginx(t *testing.T, program, dir string) (secure, plain, brief string) {
	t.Helper()
	for range 5 { // a free port may be taken by the time nginx binds it
		ports := []int{freePort(t), freePort(t), freePort(t)}
		config := fmt.Sprintf(`daemon off; master_process off; pid %[1]s/pid; error_log %[1]s/error.log;
events { }
http {
  access_log off; client_body_temp_path %[1]s/b; proxy_temp_path %[1]s/p; fastcgi_temp_path %[1]s/f;
  uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/c; ssl_certificate %[1]s/cert.pem; ssl_certificate_key %[1]s/key.pem;
  server {
    listen 127.0.0.1:%[2]d ssl http2; listen 127.0.0.1:%[3]d http2; root %[1]s; keepalive_requests 100000;
    location = / { return 200 "hello"; }
  }
  server {
    listen 127.0.0.1:%[4]d http2; keepalive_requests 50;
    location = / { return 200 "hello"; }
  }
}
`, dir, ports[0], ports[1], ports[2])
		file := filepath.Join(dir, "nginx.conf")
		if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		if runHTTP2Nginx(t, program, file, dir, ports[1]) {
			return fmt.Sprintf("https://127.0.0.1:%d", ports[0]), fmt.Sprintf("http://127.0.0.1:%d", ports[1]),
				fmt.Sprintf("http://127.0.0.1:%d", ports[2])
		}
	}
	text, _ := os.ReadFile(filepath.Join(dir, "error.log"))
	t.Fatalf("nginx does not start: %s", text)
	return "", "", ""
}

// runHTTP2Nginx starts nginx until the end of the test; false if it ended before it listened.
func runHTTP2Nginx(t *testing.T, program, file, dir string, port int) bool {
	t.Helper()
	c := exec.Command(program, "-c", file, "-p", dir, "-e", filepath.Join(dir, "error.log"))
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { c.Wait(); close(ended) }()
	for {
		select {
		case <-ended:
			return false
		default:
		}
		if conn, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), time.Second); err == nil {
			conn.Close()
			t.Cleanup(func() { c.Process.Kill(); <-ended })
			return true
		}
	}
}
