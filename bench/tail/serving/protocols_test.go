package serving

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

var errPlanted = errors.New("planted")

// serve serves with a protocol until the test ends: the first request is answered right, the others
// fail.
func serve(t *testing.T, p *protocol) (address string, s *stamps) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s = newStamps()
	first := true
	h := s.stamped(func(context.Context, *Request) error {
		if first {
			first = false
			return nil
		}
		return errPlanted
	})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- p.serve(ctx, ln, h) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("serve %s: %v", p.name, err)
		}
	})
	return ln.Addr().String(), s
}

func TestHTTPAndHTTP2Answer(t *testing.T) {
	for _, p := range []*protocol{overHTTP, overHTTP2} {
		address, s := serve(t, p)
		transport := &http.Transport{Protocols: new(http.Protocols)}
		transport.Protocols.SetHTTP1(p == overHTTP)
		transport.Protocols.SetUnencryptedHTTP2(p == overHTTP2)
		client := &http.Client{Transport: transport}
		for _, want := range []string{"200 OK done", "500 Internal Server Error planted"} {
			answer, err := client.Get("http://" + address)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if got := answer.Status + " " + strings.TrimSpace(string(text)); got != want || err != nil {
				t.Errorf("%s: %q, want %q, %v", p.name, got, want, err)
			}
		}
		client.CloseIdleConnections()
		if n := s.truth().Untraced; n != 2 {
			t.Errorf("%s: %d requests are stamped, want 2", p.name, n)
		}
	}
}

func TestTCPAnswersFrames(t *testing.T) {
	address, _ := serve(t, overTCP)
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "\x00\x00\x00\x03get\x00\x00\x00\x00"); err != nil {
		t.Fatal(err)
	}
	want := "\x00\x00\x00\x05done\n\x00\x00\x00\x07planted"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != want {
		t.Errorf("%q, want %q, %v", got, want, err)
	}
	// A frame that is longer than allowed ends the connection.
	if _, err := io.WriteString(conn, "\xff\xff\xff\xff"); err != nil {
		t.Fatal(err)
	}
	if n, err := conn.Read(got); err == nil {
		t.Errorf("%q after a frame of 4 GB", got[:n])
	}
}
