package schemes_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// authority signs certificates; file holds its own, as --set tls.ca takes it.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{file: filepath.Join(t.TempDir(), "ca.pem")}
	var err error
	if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(a.file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

// issue makes a certificate for names, valid until the given time.
func (a *authority) issue(t *testing.T, until time.Time, names ...string) tls.Certificate {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: until.Add(-2 * time.Hour), NotAfter: until,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// serveTLS starts an HTTPS server with that certificate and returns its target.
func serveTLS(t *testing.T, cert tls.Certificate, http2 bool, handler http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
	s.EnableHTTP2 = http2
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // refused handshakes are meant
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

// run sends n requests through the target's own dialer.
func run(t *testing.T, url string, o wire.Options, plan load.Plan, n uint64) load.Tally {
	t.Helper()
	target := parse(t, url, o)
	plan.Timeout = 20 * time.Second
	s, err := load.Open(context.Background(), plan, target, target.Dialer(nil))
	if err != nil {
		t.Fatal(err)
	}
	var all load.Tally
	g := load.Stretch{Schedule: load.Schedule{Requests: n}, Drain: 20 * time.Second}
	if err := s.Run(context.Background(), g, all.Add); err != nil {
		t.Error(err)
	}
	if _, err := s.Close(); err != nil {
		t.Error(err)
	}
	return all
}

func TestHTTPSResumesSessionsUnlessToldNotTo(t *testing.T) {
	ca := newAuthority(t)
	var mu sync.Mutex
	resumed := map[string]bool{} // by the client's address
	url := serveTLS(t, ca.issue(t, time.Now().Add(time.Hour), "127.0.0.1"), false,
		func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			resumed[r.RemoteAddr] = r.TLS.DidResume
			mu.Unlock()
			if want := "127.0.0.1"; !strings.HasPrefix(r.Host, want) || r.TLS.NegotiatedProtocol != "http/1.1" {
				http.Error(w, "not what was asked for", http.StatusBadRequest)
			}
		})
	for _, off := range []bool{false, true} {
		mu.Lock()
		clear(resumed)
		mu.Unlock()
		o := wire.Options{TLS: wire.TLS{CAs: ca.file, NoResumption: off}}
		const n = 60
		wantRight(t, url, run(t, url, o, load.Plan{Connections: 2, Depth: 1, PerConnection: 3}, n), n)
		mu.Lock()
		again := 0
		for _, was := range resumed {
			if was {
				again++
			}
		}
		// The first connections are dialled before any session is known.
		if full := len(resumed) - again; len(resumed) < n/3 || off && again > 0 || !off && full > 2 {
			t.Errorf("resumption off %v: of %d connections %d were resumed", off, len(resumed), again)
		}
		mu.Unlock()
	}
}

// A server that asks for a certificate gets the client's own.
func TestTheClientShowsItsCertificate(t *testing.T) {
	ca := newAuthority(t)
	hour := time.Now().Add(time.Hour)
	pool := x509.NewCertPool()
	pool.AddCert(ca.cert)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TLS.PeerCertificates) != 1 || r.TLS.PeerCertificates[0].DNSNames[0] != "client.test" {
			http.Error(w, "who is it?", http.StatusForbidden)
		}
	}))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{ca.issue(t, hour, "127.0.0.1")},
		ClientAuth: tls.RequireAnyClientCert}
	s.StartTLS()
	t.Cleanup(s.Close)
	own := ca.issue(t, hour, "client.test")
	der, err := x509.MarshalPKCS8PrivateKey(own.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := func(name string, blocks ...*pem.Block) string {
		var text []byte
		for _, b := range blocks {
			text = append(text, pem.EncodeToMemory(b)...)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cert, key := &pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate[0]}, &pem.Block{Type: "PRIVATE KEY", Bytes: der}
	certFile := file("cert.pem", cert)
	for name, o := range map[string]wire.TLS{
		"two files": {CAs: ca.file, Cert: certFile, Key: file("key.pem", key)},
		"one file":  {CAs: ca.file, Cert: file("both.pem", cert, key)},
	} {
		t.Run(name, func(t *testing.T) {
			wantRight(t, s.URL, run(t, s.URL, wire.Options{TLS: o}, load.Plan{Connections: 2, Depth: 1}, 10), 10)
		})
	}
	for text, o := range map[string]wire.TLS{
		"tls.cert is not":                           {Key: certFile},
		"read the client's certificate: ":           {Cert: filepath.Join(dir, "none.pem")},
		"read the client's certificate " + certFile: {Cert: certFile},
	} {
		if _, err := schemes.Parse(s.URL, wire.Options{TLS: o}); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("got %v, want %q", err, text)
		}
	}
	if _, err := schemes.SelfContained(wire.Options{TLS: wire.TLS{Cert: certFile}}); err == nil ||
		!strings.Contains(err.Error(), "no private key to another machine") {
		t.Errorf("agents get %v", err)
	}
}

func TestHTTPSSaysWhatIsWrongWithAServer(t *testing.T) {
	ca := newAuthority(t)
	hour := time.Now().Add(time.Hour)
	good := serveTLS(t, ca.issue(t, hour, "127.0.0.1"), false, func(http.ResponseWriter, *http.Request) {})
	other := serveTLS(t, ca.issue(t, hour, "a.test", "b.test"), false, func(http.ResponseWriter, *http.Request) {})
	old := serveTLS(t, ca.issue(t, time.Now().Add(-time.Hour), "127.0.0.1"), false,
		func(http.ResponseWriter, *http.Request) {})
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer plain.Close()
	trusted := wire.TLS{CAs: ca.file}
	for _, c := range []struct {
		name, url  string
		o          wire.Options
		kind       fail.Kind
		text, hint string
	}{
		{"unknown authority", good, wire.Options{}, fail.Environment, "no trusted authority has signed it",
			"--set tls.ca=FILE"},
		{"another name", other, wire.Options{TLS: trusted}, fail.Environment,
			`not made out to "127.0.0.1" but to a.test, b.test`, "--set tls.server-name=NAME"},
		{"expired", old, wire.Options{TLS: trusted}, fail.Environment, "expired", "-k"},
		{"no TLS", "https" + strings.TrimPrefix(plain.URL, "http"), wire.Options{}, fail.BadInput, "does not speak TLS",
			"http:// target"},
		{"no HTTP/2", good, wire.Options{HTTP2: true, TLS: trusted}, fail.BadInput,
			"offers no h2 in ALPN, it chose \"http/1.1\"", "leave out --http2"},
	} {
		target := parse(t, c.url, c.o)
		_, err := load.Open(context.Background(), load.Plan{Connections: 1, Depth: 1, Timeout: 20 * time.Second},
			target, target.Dialer(nil))
		var f *fail.Error
		if !errors.As(err, &f) || f.Kind != c.kind || !strings.Contains(err.Error(), c.text) ||
			!strings.Contains(f.Hint, c.hint) {
			t.Errorf("%s: got %v with hint %q, want %q with hint %q", c.name, err, fail.HintOf(err), c.text, c.hint)
		}
	}
	// And the ways out that the hints name.
	for _, c := range []struct {
		url string
		tls wire.TLS
	}{
		{good, trusted},
		{good, wire.TLS{Insecure: true}},
		{old, wire.TLS{Insecure: true}},
		{other, wire.TLS{CAs: ca.file, ServerName: "b.test"}},
	} {
		wantRight(t, c.url, run(t, c.url, wire.Options{TLS: c.tls}, load.Plan{Connections: 1, Depth: 1}, 5), 5)
	}
}

func TestTLSRefusesAFileWithoutCertificates(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := schemes.Parse("https://h", wire.Options{TLS: wire.TLS{CAs: file}})
	wantInputError(t, file, err, "holds none that can be read", "BEGIN CERTIFICATE")
}

func TestTargetWrapClosesWhatItCannotUse(t *testing.T) {
	client, server := net.Pipe()
	server.Close()
	target := parse(t, "https://h", wire.Options{})
	if c, err := target.Wrap(context.Background(), client); err == nil || c != nil {
		t.Errorf("got %v, %v, want an error", c, err)
	}
	if _, err := client.Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("the connection is still open: %v", err)
	}
	plain, _ := net.Pipe()
	defer plain.Close()
	if c, err := parse(t, "http://h", wire.Options{}).Wrap(context.Background(), plain); c != plain || err != nil {
		t.Errorf("got %v, %v, want the connection itself", c, err)
	}
}

func TestTargetDialsFromTheSourcesInTurn(t *testing.T) {
	sources := []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("127.0.0.2")}
	if l, err := net.Listen("tcp", "127.0.0.2:0"); err != nil {
		t.Skip("127.0.0.2 is not an address of this machine")
	} else {
		l.Close()
	}
	var first, second atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		switch host, _, _ := net.SplitHostPort(r.RemoteAddr); host {
		case "127.0.0.1":
			first.Add(1)
		case "127.0.0.2":
			second.Add(1)
		}
	}))
	defer server.Close()
	target := parse(t, server.URL, wire.Options{Headers: []string{"Connection: close"}})
	s, err := load.Open(context.Background(), load.Plan{Connections: 4, Depth: 1, Timeout: 20 * time.Second}, target,
		target.Dialer(sources))
	if err != nil {
		t.Fatal(err)
	}
	g := load.Stretch{Schedule: load.Schedule{Requests: 4}, Drain: 20 * time.Second}
	if err := s.Run(context.Background(), g, func(load.Slice) {}); err != nil {
		t.Error(err)
	}
	if _, err := s.Close(); err != nil {
		t.Error(err)
	}
	if first.Load() == 0 || second.Load() == 0 || first.Load()+second.Load() != 4 {
		t.Errorf("%d requests came from one, %d from the other", first.Load(), second.Load())
	}
}
