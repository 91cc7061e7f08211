// Package correctness checks hone's HTTP client against a server that its authors did
// not write and that is not net/http: fasthttp, with its own ways of framing answers.
package correctness

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
	"github.com/valyala/fasthttp"
)

const (
	connections = 8
	requests    = 2000
)

// serve starts fasthttp, which counts what it answers.
func serve(t *testing.T, handler fasthttp.RequestHandler) (address string, served *atomic.Uint64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served = new(atomic.Uint64)
	s := &fasthttp.Server{
		Handler: func(c *fasthttp.RequestCtx) {
			served.Add(1)
			handler(c)
		},
		CloseOnShutdown: true,
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	t.Cleanup(func() {
		if err := s.Shutdown(); err != nil {
			t.Errorf("shut fasthttp down: %v", err)
		}
		if err := <-ended; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return l.Addr().String(), served
}

// ask sends n requests in a closed loop, waits for all answers and returns the account
// of the session and the slice.
func ask(t *testing.T, url string, o wire.Options, depth int, n uint64) (load.Counts, load.Tally) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	target, err := schemes.Parse(url, o)
	if err != nil {
		t.Fatal(err)
	}
	plan := load.Plan{Connections: connections, Depth: depth, Workers: 2, Timeout: 20 * time.Second}
	session, err := load.Open(ctx, plan, target, target.Dialer(nil))
	if err != nil {
		t.Fatal(err)
	}
	var tally load.Tally
	err = session.Run(ctx, load.Stretch{Schedule: load.Schedule{Requests: n}, Drain: 20 * time.Second}, tally.Add)
	if err != nil {
		t.Error(err)
	}
	total, err := session.Close()
	if err != nil {
		t.Error(err)
	}
	return total, tally
}

// allAnswered checks that every request came back right, and with which status.
func allAnswered(t *testing.T, total load.Counts, tally load.Tally, served *atomic.Uint64, code int) {
	t.Helper()
	if total.Sent != requests || total.Answered != requests || total.Failed+total.Unanswered+total.Unsent != 0 {
		t.Errorf("account %+v, want %d sent and answered, and nothing else", total, requests)
	}
	if served.Load() != requests {
		t.Errorf("fasthttp served %d requests, want %d", served.Load(), requests)
	}
	if len(tally.Codes) != 1 || tally.Codes[code] != requests {
		t.Errorf("codes %v, want %d times %d", tally.Codes, requests, code)
	}
	if n := tally.Service.TotalCount(); n != requests {
		t.Errorf("%d service times, want %d", n, requests)
	}
}

func TestKeepAlive(t *testing.T) {
	address, served := serve(t, func(c *fasthttp.RequestCtx) { c.WriteString("hello, world") })
	for _, depth := range []int{1, 8} {
		t.Run(fmt.Sprintf("depth %d", depth), func(t *testing.T) {
			served.Store(0)
			total, tally := ask(t, "http://"+address+"/", wire.Options{
				Expect: wire.Expect{Body: "hello, world"},
			}, depth, requests)
			allAnswered(t, total, tally, served, 200)
			if tally.Reconnects+tally.Renewed != 0 {
				t.Errorf("%d connections lost, %d renewed, want them kept", tally.Reconnects, tally.Renewed)
			}
		})
	}
}

// A body of unknown length comes chunked; its last part must arrive before the answer
// counts, and nothing of it may be taken for the next answer.
func TestChunked(t *testing.T) {
	address, served := serve(t, func(c *fasthttp.RequestCtx) {
		c.SetBodyStreamWriter(func(w *bufio.Writer) {
			for i := range 20 {
				fmt.Fprintf(w, "part %d of a body in chunks HTTP/1.1 200 OK\r\n\r\n", i)
				w.Flush()
			}
			fmt.Fprint(w, "the end")
		})
	})
	total, tally := ask(t, "http://"+address+"/", wire.Options{
		Expect: wire.Expect{Body: "the end"},
	}, 1, requests)
	allAnswered(t, total, tally, served, 200)
	if tally.Reconnects+tally.Renewed != 0 {
		t.Errorf("%d connections lost, %d renewed, want them kept", tally.Reconnects, tally.Renewed)
	}
}

// A server may end the connection with each answer: that is not an error, and each request
// is sent once.
func TestClose(t *testing.T) {
	address, served := serve(t, func(c *fasthttp.RequestCtx) {
		c.SetConnectionClose()
		c.WriteString("goodbye")
	})
	total, tally := ask(t, "http://"+address+"/", wire.Options{}, 1, requests)
	allAnswered(t, total, tally, served, 200)
	if tally.Renewed == 0 {
		t.Error("no connection was renewed, though the server closed each")
	}
}

// Answers without a body, by their method or status.
func TestNoBody(t *testing.T) {
	for _, c := range []struct {
		name, method string
		code         int
	}{{"HEAD", "HEAD", 200}, {"204", "GET", 204}, {"304", "GET", 304}} {
		t.Run(c.name, func(t *testing.T) {
			address, served := serve(t, func(x *fasthttp.RequestCtx) {
				x.SetStatusCode(c.code)
				x.WriteString("not to be seen")
			})
			total, tally := ask(t, "http://"+address+"/", wire.Options{Method: c.method}, 1, requests)
			allAnswered(t, total, tally, served, c.code)
		})
	}
}

// The body of a request arrives whole, and comes back whole.
func TestEcho(t *testing.T) {
	body := make([]byte, 100_000)
	for i := range body {
		body[i] = 'a' + byte(i%26)
	}
	address, served := serve(t, func(c *fasthttp.RequestCtx) { c.Write(c.PostBody()) })
	length := int64(len(body))
	total, tally := ask(t, "http://"+address+"/", wire.Options{
		Body: body, Expect: wire.Expect{Length: &length, Body: string(body[:1000])},
	}, 1, requests)
	allAnswered(t, total, tally, served, 200)
}

// Error answers are counted by status and never as served.
func TestErrorAnswers(t *testing.T) {
	var turn atomic.Uint64
	address, served := serve(t, func(c *fasthttp.RequestCtx) {
		switch turn.Add(1) % 4 {
		case 0:
			c.Error("nothing here", 404)
		case 1:
			c.Error("broken", 500)
		default:
			c.WriteString("fine")
		}
	})
	total, tally := ask(t, "http://"+address+"/", wire.Options{}, 1, requests)
	if total.Sent != requests || total.Answered != requests/2 || total.Failed != requests/2 ||
		total.Unanswered+total.Unsent != 0 {
		t.Errorf("account %+v, want %d sent, half of them answered and half failed", total, requests)
	}
	if served.Load() != requests {
		t.Errorf("fasthttp served %d requests, want %d", served.Load(), requests)
	}
	if got := total.Causes[load.WrongStatus]; got != requests/2 {
		t.Errorf("%d answers of a wrong status, want %d", got, requests/2)
	}
	for code, want := range map[int]uint64{200: requests / 2, 404: requests / 4, 500: requests / 4} {
		if tally.Codes[code] != want {
			t.Errorf("status %d counted %d times, want %d", code, tally.Codes[code], want)
		}
	}
}
