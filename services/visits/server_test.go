package visits

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// serving serves h on a loopback port until stop is called, which returns what Serve did.
func serving(t *testing.T, h http.Handler) (addr string, stop func() error) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, ln, h) }()
	return ln.Addr().String(), func() error {
		cancel()
		return <-served
	}
}

// exchange sends text and returns the answer to it.
func exchange(t *testing.T, conn net.Conn, text string) *http.Response {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestServeAnswersOverTheNetwork(t *testing.T) {
	eachStage(t, func(t *testing.T, s Stage) {
		h, log := logOf(t, s)
		addr, stop := serving(t, h)
		for path, want := range map[string]int{
			"/hello?name=%41&color=red": http.StatusOK, "/other": http.StatusNotFound,
			"/hello?" + strings.Repeat("x", maxQuery+1): http.StatusRequestURITooLong,
			"/" + strings.Repeat("x", 16<<10):           http.StatusRequestHeaderFieldsTooLarge,
		} {
			conn, err := net.Dial("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			answer := exchange(t, conn, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")
			body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<16))
			if answer.StatusCode != want || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%.40s: %s %s, %v, want %d", path, answer.Status, body, err, want)
			}
			if want == http.StatusOK && !strings.Contains(string(body), "<p>Name: A</p><p>Visits: 1</p>") {
				t.Errorf("%s", body)
			}
			conn.Close()
		}
		if err := stop(); err != nil {
			t.Errorf("Serve: %v", err)
		}
		if got := readLine(t, log.String()); got.Name != "A" {
			t.Errorf("log %+v", got)
		}
	})
}

// A visit that is being answered when the end comes is answered; no new one is.
func TestServeEndsInOrder(t *testing.T) {
	arrived, proceed := make(chan struct{}), make(chan struct{})
	h := counter(t, Stages[len(Stages)-1], Config{})
	addr, stop := serving(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-proceed
		h.ServeHTTP(w, r)
	}))
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-arrived
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	for { // until the end has begun, which closes the listener first
		next, err := net.Dial("tcp", addr)
		if err != nil {
			break
		}
		next.Close()
	}
	close(proceed)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("%v, %v", answer, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestServeSaysWhyItFailed(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	if err := Serve(t.Context(), ln, http.NotFoundHandler()); err == nil || errors.Is(err, http.ErrServerClosed) {
		t.Errorf("%v, want the listener's error", err)
	}
}

// pipes is a listener whose connections are pipes, for time that does not pass.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accepted:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// A client that does not come to the end of its request, or sends none, is cut off.
func TestSlowClientsAreCutOff(t *testing.T) {
	for text, limit := range map[string]time.Duration{
		"":                                       readTimeout,
		"GET /hello HTTP/1.1\r\nHost":            readTimeout,
		"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n": idleTimeout,
	} {
		synctest.Test(t, func(t *testing.T) {
			ln := &pipes{make(chan net.Conn), make(chan struct{})}
			ctx, cancel := context.WithCancel(t.Context())
			served := make(chan error, 1)
			go func() { served <- Serve(ctx, ln, counter(t, Stages[0], Config{})) }()
			client, server := net.Pipe()
			defer client.Close()
			ln.accepted <- server
			go io.WriteString(client, text) // ends when the server has read it
			began := time.Now()
			if _, err := io.Copy(io.Discard, client); err != nil {
				t.Errorf("%q: %v", text, err)
			}
			if took := time.Since(began); took != limit {
				t.Errorf("%q: cut off after %v, want %v", text, took, limit)
			}
			cancel()
			if err := <-served; err != nil {
				t.Errorf("Serve: %v", err)
			}
		})
	}
}
