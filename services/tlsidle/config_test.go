package tlsidle_test

import (
	"crypto/tls"
	"crypto/x509"
	"testing"
	"time"

	"github.com/gohone/hone/services/internal/servicetest"
	"github.com/gohone/hone/services/tlsidle"
)

func TestConfigNamesEveryFault(t *testing.T) {
	_, err := tlsidle.New(tlsidle.Config{
		Stage: "fast", Certificate: new(tls.Certificate), MaxConns: -1,
		HandshakeTimeout: -1, RequestTimeout: -1, IdleTimeout: -1, WriteTimeout: -1,
	})
	if err == nil {
		t.Fatal("a configuration of faults was taken")
	}
	servicetest.Contains(t, "error", err.Error(), `unknown stage "fast" (known: nethttp, heldbuffer, pooled, parked)`, "certificate lacks", "max conns is -1",
		"handshake timeout is -1ns", "request timeout is -1ns", "idle timeout is -1ns", "write timeout is -1ns")
}

// A client that trusts the self-signed certificate accepts the server by each of its
// names.
func TestSelfSignedIsGood(t *testing.T) {
	cert, err := tlsidle.SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(cert.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	for _, name := range []string{"localhost", "127.0.0.1", "::1"} {
		for _, after := range []time.Duration{0, 29 * 24 * time.Hour} {
			_, err := leaf.Verify(x509.VerifyOptions{DNSName: name, Roots: roots, CurrentTime: time.Now().Add(after)})
			if err != nil {
				t.Errorf("%s after %v: %v", name, after, err)
			}
		}
	}
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, tlsidle.Config{Stage: stage, Certificate: cert})
		conn, err := tls.Dial("tcp", r.Addr, &tls.Config{RootCAs: roots, ServerName: "localhost"})
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
	})
}

func TestCausesHaveNames(t *testing.T) {
	seen := make(map[string]bool)
	for c := range tlsidle.Cause(tlsidle.NumCauses) {
		if seen[c.String()] || c.String() == "" {
			t.Errorf("cause %d is called %q", c, c)
		}
		seen[c.String()] = true
	}
	if got := tlsidle.Cause(200).String(); got != "cause 200" {
		t.Errorf("a cause that there is not is called %q", got)
	}
}
