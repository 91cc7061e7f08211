package finder

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/recognise"
	"github.com/gohone/hone/internal/wire/schemes"
)

func TestPath(t *testing.T) {
	for _, c := range []struct{ path, target string }{{"x", ""}, {"//host/x", ""}, {"/a b", ""},
		{"/x", "framed://127.0.0.1:1"}} {
		if err := CheckPath(c.path, c.target); fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" {
			t.Errorf("CheckPath(%q, %q) = %v, hint %q", c.path, c.target, err, fail.HintOf(err))
		}
	}
	if err := CheckPath("/items?page=2", "https://127.0.0.1:{port}/"); err != nil {
		t.Error(err)
	}
}

// One request of the target's own protocol tells the ports apart.
func TestSpeaks(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/none" {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetHTTP1(true)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	defer s.Close()
	dial := func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", s.Listener.Addr().String())
	}
	for _, c := range []struct {
		target  string
		options wire.Options
		want    recognise.Use
	}{
		{"http://127.0.0.1:1/", wire.Options{}, recognise.Serves},
		{"http://127.0.0.1:1/none", wire.Options{}, recognise.Missing},
		{"http://127.0.0.1:1/", wire.Options{HTTP2: true}, recognise.Serves},
		{"http://127.0.0.1:1/none", wire.Options{HTTP2: true}, recognise.Missing},
		{"https://127.0.0.1:1/", wire.Options{}, recognise.Foreign},
		{"framed://127.0.0.1:1", wire.Options{}, recognise.Foreign},
		{"rpc://127.0.0.1:1", wire.Options{}, recognise.Foreign},
	} {
		target, err := schemes.Parse(c.target, c.options)
		if err != nil {
			t.Fatal(err)
		}
		if got := speaks(t.Context(), target, dial); got != c.want {
			t.Errorf("%s, HTTP/2 %v: use %d, want %d", c.target, c.options.HTTP2, got, c.want)
		}
	}
}

func TestContradicts(t *testing.T) {
	for _, c := range []struct {
		scheme string
		http2  bool
		seen   recognise.Seen
		want   bool
	}{
		{"http", false, recognise.Seen{Protocol: recognise.HTTP}, false},
		{"http", false, recognise.Seen{Protocol: recognise.HTTP, Encrypted: true}, true},
		{"https", false, recognise.Seen{Protocol: recognise.HTTP}, true},
		{"framed", false, recognise.Seen{Protocol: recognise.HTTP}, true},
		{"http", false, recognise.Seen{Protocol: recognise.GRPC}, true},
		{"http", true, recognise.Seen{Protocol: recognise.GRPC}, false},
		{"https", true, recognise.Seen{Protocol: recognise.HTTP2, Encrypted: true}, false},
		{"tcp", false, recognise.Seen{Protocol: recognise.Redis}, true},
		{"framed", false, recognise.Seen{Protocol: recognise.Silent}, false},
		{"rpc", false, recognise.Seen{Protocol: recognise.Other}, false},
	} {
		if got := contradicts(c.scheme, c.http2, c.seen); got != c.want {
			t.Errorf("%s, HTTP/2 %v, a port that %s: %v, want %v", c.scheme, c.http2, c.seen, got, c.want)
		}
	}
}
