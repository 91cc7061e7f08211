package schemes_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// Whatever a server sends behind an answer, in the same segment or in one of its own: the
// answer is not counted as served, and the cause says why.
func TestHTTPExtraBytesAfterAnAnswer(t *testing.T) {
	const (
		counted = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
		chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
		closing = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"
	)
	for name, c := range map[string]struct {
		answer, extra string
		depth         int
	}{
		"one byte":                  {counted, "x", 1},
		"a line end":                {counted, "\r\n", 1},
		"a second answer":           {counted, counted, 1},
		"the head of a second":      {counted, "HTTP/1.1 200 OK\r\n", 1},
		"after chunks":              {chunked, "and more", 1},
		"after the last answer":     {closing, "and more", 1},
		"between pipelined answers": {counted, "and more", 8},
		"a line end, pipelined":     {counted, "\r\n", 8},
	} {
		for engine := range engines {
			url := serveExtra(t, c.answer, c.extra, 0)
			got := tryToFire(t, engine, url, wire.Options{}, c.depth, 300)
			if got.Answered > 0 && c.depth == 1 || got.Causes[load.ExtraBytes] < 30 || got.RightShare() > 0.5 {
				t.Errorf("%s, %s: %d answered, %v extra, %+v", engine, name, got.Answered, got.Causes[load.ExtraBytes],
					got.Counts)
			}
		}
	}
	// By itself, it comes when the next request is on its way: it stands in front of that
	// one's answer.
	for _, extra := range []string{"x", "\r\n"} {
		for engine := range engines {
			got := tryToFire(t, engine, serveExtra(t, counted, extra, time.Millisecond), wire.Options{}, 1, 30)
			if got.Causes[load.ExtraBytes] < 5 || got.RightShare() > 0.5 {
				t.Errorf("%s, %q later: %+v", engine, extra, got.Counts)
			}
		}
	}
}

// serveExtra sends extra behind every answer: with it, or that long after it.
func serveExtra(t *testing.T, answer, extra string, after time.Duration) (url string) {
	return serveConns(t, func(c net.Conn) {
		in := bufio.NewReader(c)
		for {
			if _, err := http.ReadRequest(in); err != nil {
				return
			}
			if after == 0 {
				if _, err := io.WriteString(c, answer+extra); err != nil {
					return
				}
				continue
			}
			if _, err := io.WriteString(c, answer); err != nil {
				return
			}
			time.Sleep(after) // what a slow server does
			if _, err := io.WriteString(c, extra); err != nil {
				return
			}
		}
	})
}

// serveConns gives each connection to handle, and closes it then.
func serveConns(t *testing.T, handle func(net.Conn)) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var users sync.WaitGroup
	t.Cleanup(func() { l.Close(); users.Wait() })
	users.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			users.Go(func() {
				defer c.Close()
				handle(c)
			})
		}
	})
	return "http://" + l.Addr().String()
}

// A server may end an idle connection with a 408 (RFC 9110 section 15.5.9). It answers no
// request, and no answer before it is wrong because of it.
func TestHTTPTimeoutOfAnIdleConnectionIsNoAnswer(t *testing.T) {
	const idle = 5 * time.Millisecond
	url := serveConns(t, func(c net.Conn) {
		in := bufio.NewReader(c)
		for {
			if err := c.SetReadDeadline(time.Now().Add(idle)); err != nil {
				return
			}
			if _, err := http.ReadRequest(in); err != nil {
				io.WriteString(c, "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbye\n")
				return
			}
			if _, err := io.WriteString(c, typicalAnswer); err != nil {
				return
			}
		}
	})
	for engine, wrap := range engines {
		s := open(t, url, wire.Options{}, load.Plan{Connections: 2, Depth: 1, Timeout: 20 * time.Second}, wrap)
		var got load.Tally
		g := load.Stretch{Schedule: load.Schedule{Stages: []load.Stage{{From: 50, To: 50,
			For: 400 * time.Millisecond}}}, Drain: 20 * time.Second}
		if err := s.Run(context.Background(), g, got.Add); err != nil {
			t.Error(err)
		}
		if _, err := s.Close(); err != nil {
			t.Error(err)
		}
		// A request may cross the server's goodbye, and is then lost; one that was built and
		// not sent yet makes the goodbye a stray answer.
		if got.Stray > got.Unsent || got.Causes[load.ExtraBytes]+got.Causes[load.Malformed] > 0 || got.Answered < 5 ||
			got.Renewed == 0 {
			t.Errorf("%s: %d renewed, %d lost, %+v", engine, got.Renewed, got.Reconnects, got.Counts)
		}
	}
}
