package side

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"os"
	"os/exec"
	"testing"
)

func TestMain(m *testing.M) {
	ServeIfAsked() // the net/http server is this program again
	os.Exit(m.Run())
}

func TestServersAnswer(t *testing.T) {
	for _, kind := range []string{Bare, NetHTTP, HTTPS, HTTP2} {
		t.Run(kind, func(t *testing.T) {
			if kind == Bare {
				if _, err := exec.LookPath("gcc"); err != nil {
					t.Skip("no gcc to build the bare server with")
				}
			}
			s, err := StartServer(context.Background(), kind, -1)
			if err != nil {
				t.Fatal(err)
			}
			client := &http.Client{Transport: &http.Transport{
				TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: kind == HTTP2,
			}}
			for range 3 {
				r, err := client.Get(s.URL)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(r.Body)
				r.Body.Close()
				if err != nil || r.StatusCode != 200 || string(body) != "hello, world" ||
					(r.ProtoMajor == 2) != (kind == HTTP2) {
					t.Fatalf("answer %d %q, %v", r.StatusCode, body, err)
				}
			}
			client.CloseIdleConnections()
			if kind != Bare {
				if err := s.AwaitRequest(); err != nil {
					t.Error(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
