package schemes_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
)

// asked notes what a server was asked, one request after the other.
type asked struct {
	mu  sync.Mutex
	all []string
}

func (a *asked) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		a.mu.Lock()
		a.all = append(a.all, fmt.Sprintf("%s %s %s %s", r.Method, r.URL.RequestURI(), r.Header.Get("X-Own"), body))
		a.mu.Unlock()
		_, _ = w.Write([]byte("hello"))
	})
}

func (a *asked) count() map[string]int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := map[string]int{}
	for _, one := range a.all {
		n[one]++
	}
	return n
}

var listed = []wire.Request{
	{Method: "GET", Path: "/a%2Fb?c=d", Headers: []string{"X-Own: 1"}, Weight: 2},
	{Method: "POST", Path: "/p", Body: []byte("body")},
	{Method: "HEAD", Path: "//h"},
}

// A list of requests is sent by weight, each with its own method, header and body; the
// answers to HEAD have no body although their heads say so.
func TestAListOfRequestsIsSentByWeight(t *testing.T) {
	for engine := range engines {
		for _, depth := range []int{1, 5} {
			var got asked
			server := httptest.NewServer(got.handler())
			all := fire(t, engine, server.URL, wire.Options{Requests: listed}, depth, 400)
			server.Close()
			if all.Answered != 400 {
				t.Errorf("%s, depth %d: answered %d of 400: %v", engine, depth, all.Answered, all.Causes)
			}
			n := got.count()
			// Each of the 3 connections begins at another turn, and may end within a round.
			if near := func(a, b int) bool { return a-b <= 3 && b-a <= 3 }; !near(n["GET /a%2Fb?c=d 1 "], 200) ||
				!near(n["POST /p  body"], 100) || !near(n["HEAD //h  "], 100) {
				t.Errorf("%s, depth %d: asked %v", engine, depth, n)
			}
		}
	}
}

// In an order, the connections together send the requests as they stand there.
func TestAListIsSentInItsOrder(t *testing.T) {
	var got asked
	server := httptest.NewServer(got.handler())
	defer server.Close()
	all := fire(t, "event loop", server.URL, wire.Options{Requests: listed, Order: []uint32{1, 1, 2, 0},
		Headers: []string{"x-own: all"}}, 1, 40)
	if all.Answered != 40 {
		t.Fatalf("answered %d: %v", all.Answered, all.Causes)
	}
	n := got.count()
	if n["POST /p all body"] != 20 || n["HEAD //h all "] != 10 || n["GET /a%2Fb?c=d all "] != 10 {
		t.Errorf("asked %v", n)
	}
}

func TestAListOverHTTP2(t *testing.T) {
	var got asked
	server := httptest.NewUnstartedServer(got.handler())
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	defer server.Close()
	all := fire(t, "event loop", server.URL, wire.Options{Requests: listed, HTTP2: true}, 4, 400)
	if n := got.count(); all.Answered != 400 || n["GET /a%2Fb?c=d 1 "] < 197 || n["POST /p  body"] < 97 ||
		n["HEAD //h  "] < 97 {
		t.Errorf("answered %d %v, asked %v", all.Answered, all.Causes, n)
	}
}

func TestListsThatDoNotFitAreRefused(t *testing.T) {
	one := []wire.Request{{Method: "GET", Path: "/"}}
	for _, c := range []struct {
		target string
		o      wire.Options
		want   string
	}{
		{"http://h/x", wire.Options{Requests: one}, "the requests of a list have their own"},
		{"http://h", wire.Options{Requests: one, Method: "PUT"}, "methods and bodies of their own"},
		{"http://h", wire.Options{Requests: []wire.Request{{Path: "x"}}}, `request 1 of the list: path "x"`},
		{"http://h", wire.Options{Requests: []wire.Request{{Path: "/", Headers: []string{"Upgrade: x"}}}},
			"framed"},
		{"http://h", wire.Options{Requests: one, Order: []uint32{1}}, "turn 1 of the order is of request 2"},
		{"http://h", wire.Options{Requests: slices.Repeat(one, 10_001)}, "at most 10000"},
		{"tcp://h:1", wire.Options{Requests: one}, "a list of requests does not belong to tcp"},
	} {
		if _, err := schemes.Parse(c.target, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.target, err, c.want)
		}
	}
}
