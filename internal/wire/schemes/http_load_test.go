package schemes_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// plainConn hides what kind of connection it is, so that the portable engine takes it.
type plainConn struct{ net.Conn }

// engines are the ways a load can take, by name: each gets to wrap the connections.
var engines = map[string]func(net.Conn) net.Conn{
	"event loop": func(c net.Conn) net.Conn { return c },
	"portable":   func(c net.Conn) net.Conn { return plainConn{c} },
}

// fire sends n requests over 3 connections and returns what came of them. The account
// must balance, and nothing may stay open at the end.
func fire(t *testing.T, engine, url string, o wire.Options, depth int, n uint64) load.Tally {
	t.Helper()
	got := tryToFire(t, engine, url, o, depth, n)
	if got.Sent != n {
		t.Errorf("%s over the %s: sent %d of %d", url, engine, got.Sent, n)
	}
	return got
}

// tryToFire is fire at a server that ends connections at will: a request may be built for
// one of them and never be sent.
func tryToFire(t *testing.T, engine, url string, o wire.Options, depth int, n uint64) load.Tally {
	t.Helper()
	plan := load.Plan{Connections: 3, Depth: depth, Timeout: 20 * time.Second}
	s := open(t, url, o, plan, engines[engine])
	var all load.Tally
	g := load.Stretch{Schedule: load.Schedule{Requests: n}, Drain: 20 * time.Second}
	if runtime.GOOS == "linux" { // elsewhere there are no stamps
		g.Stamps = new(load.Stamps)
	}
	if err := s.Run(context.Background(), g, all.Add); err != nil {
		t.Error(err)
	}
	if g.Stamps != nil && uint64(g.Stamps.Len()) != all.Answered {
		t.Errorf("%s over the %s: %d stamps of %d right answers", url, engine, g.Stamps.Len(), all.Answered)
	}
	c, err := s.Close()
	if err != nil {
		t.Error(err)
	}
	if c.Unanswered != 0 {
		t.Errorf("%s over the %s: %d unanswered", url, engine, c.Unanswered)
	}
	return all
}

// open connects to a target without its own dialer; wrap gets each connection.
func open(t *testing.T, url string, o wire.Options, plan load.Plan, wrap func(net.Conn) net.Conn) *load.Session {
	t.Helper()
	target := parse(t, url, o)
	if err := target.Prepare(t.Context(), target.Dialer(nil)); err != nil {
		t.Fatal(err)
	}
	s, err := load.Open(context.Background(), plan, target, func(ctx context.Context) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, target.Network, target.Address)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(url, "ws") {
			if c, err = target.Wrap(ctx, c); err != nil {
				return nil, err
			}
		}
		return wrap(c), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// wantRight wants n right answers and nothing else.
func wantRight(t *testing.T, what string, got load.Tally, n uint64) {
	t.Helper()
	if got.Answered != n || got.Failed != 0 || got.Causes != [load.NumCauses]uint64{} {
		t.Errorf("%s: want %d right answers, got %+v", what, n, got.Counts)
	}
}

func TestHTTPCountsAnswersByStatus(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/", http.StatusFound)
		case "/gone":
			http.Error(w, "gone", http.StatusGone)
		case "/crash":
			http.Error(w, "crash", http.StatusInternalServerError)
		case "/trailers":
			w.Header().Set("Trailer", "X-Sum")
			io.WriteString(w, strings.Repeat("x", 4000))
			w.Header().Set("X-Sum", "1")
		}
	}))
	defer server.Close()
	o := wire.Options{Requests: []wire.Request{
		{}, {Path: "/moved", Weight: 2}, {Path: server.URL + "/gone", Weight: 1}, {Path: "/crash", Weight: 1},
		{Path: "/trailers", Weight: 1},
	}}
	for engine := range engines {
		got := fire(t, engine, server.URL+"/", o, 1, 600)
		// 600 turns of a round of 6 on 3 connections: each may be within one round.
		for code, share := range map[int]uint64{200: 200, 302: 200, 410: 100, 500: 100} {
			if n := got.Codes[code]; n+6 < share || n > share+6 {
				t.Errorf("%s: status %d came %d times, want about %d: %v", engine, code, n, share, got.Codes)
			}
		}
		if wrong := uint64(got.Codes[410] + got.Codes[500]); got.Failed != wrong ||
			got.Causes[load.WrongStatus] != wrong || got.Answered != 600-wrong {
			t.Errorf("%s: %+v with statuses %v", engine, got.Counts, got.Codes)
		}
	}
}

// A connection that ends in good order loses no request: neither where the user asks
// for it, nor where the server does, by its headers or by its HTTP version.
func TestHTTPConnectionsEndInGoodOrder(t *testing.T) {
	polite := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/close" {
			w.Header().Set("Connection", "close")
		}
		io.WriteString(w, "hello")
	}))
	defer polite.Close()
	old := serveRaw(t, "HTTP/1.0 200 OK\r\n\r\nto the end", true)
	mute := serveRaw(t, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", true)
	ask := wire.Options{Headers: []string{"Connection: close"}}
	for engine := range engines {
		for name, c := range map[string]struct {
			url     string
			options wire.Options
			depth   int
		}{
			"the user asks":                {polite.URL, ask, 1},
			"the user asks, and pipelines": {polite.URL, ask, 8},
			"the server closes":            {polite.URL + "/close", wire.Options{}, 1},
			"HTTP/1.0":                     {old, wire.Options{}, 1},
			"closes without a word":        {mute, ask, 1},
		} {
			got := fire(t, engine, c.url, c.options, c.depth, 60)
			wantRight(t, name+" on the "+engine, got, 60)
			if got.Renewed == 0 || got.Reconnects > 0 {
				t.Errorf("%s on the %s: %d renewed, %d reconnects", name, engine, got.Renewed, got.Reconnects)
			}
		}
	}
}

// serveRaw answers every request that comes alone in a connection with the same bytes,
// and closes then if told to. It returns the server's URL.
func serveRaw(t *testing.T, answer string, once bool) string {
	t.Helper()
	return serveConns(t, func(c net.Conn) {
		in := bufio.NewReader(c)
		for {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			io.Copy(io.Discard, r.Body)
			if _, err := io.WriteString(c, answer); err != nil || once {
				return
			}
		}
	})
}

// The targets of a mix get their shares on both engines, and a feed reaches the server
// as the user wrote it.
func TestHTTPFeedReachesTheServer(t *testing.T) {
	feed := &wire.Feed{Names: []string{"id", "text"}, Rows: [][]string{
		{"a/b", "1 & 2"}, {"c?d", `say "hi"`}, {"%41", ""}, {"{id}", "\u00e4\n"},
	}}
	want := map[string]bool{}
	for _, row := range feed.Rows {
		want[fmt.Sprintf("/items/%s q=%s h=%s body={%q: %s}", row[0], row[1], row[0], "v", row[1])] = true
	}
	var mu sync.Mutex
	seen := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("body of %s: %v", r.URL, err)
		}
		mu.Lock()
		defer mu.Unlock()
		seen[fmt.Sprintf("%s q=%s h=%s body=%s", r.URL.Path, r.URL.Query().Get("q"), r.Header.Get("X-Id"), body)]++
	}))
	defer server.Close()
	o := wire.Options{Headers: []string{"X-Id: {id}"}, Body: []byte(`{"v": {text}}`), Feed: feed}
	for engine := range engines {
		wantRight(t, engine, fire(t, engine, server.URL+"/items/{id}?q={text}", o, 2, 120), 120)
		mu.Lock() // the server's goroutines are not ours to wait for
		for got, n := range seen {
			if !want[got] {
				t.Errorf("%s: unexpected request %q, %d times", engine, got, n)
			}
		}
		if len(seen) != len(want) {
			t.Errorf("%s: %d of %d rows were used: %v", engine, len(seen), len(want), seen)
		}
		clear(seen)
		mu.Unlock()
	}
}

// A server that closes after each answer still gets every row.
func TestHTTPFeedGoesOnWhereAConnectionEnded(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen[r.URL.Path]++
	}))
	defer server.Close()
	feed := &wire.Feed{Names: []string{"n"}}
	for i := range 10 {
		feed.Rows = append(feed.Rows, []string{fmt.Sprint(i)})
	}
	o := wire.Options{Headers: []string{"Connection: close"}, Feed: feed}
	wantRight(t, "close", fire(t, "event loop", server.URL+"/{n}", o, 1, 90), 90)
	mu.Lock()
	defer mu.Unlock()
	if len(seen) != len(feed.Rows) {
		t.Errorf("only these rows were used: %v", seen)
	}
}

func TestHTTPChecksRefuseWrongAnswers(t *testing.T) {
	parts := []string{`{"items": [{"id": `, `7}], "pad": "`, strings.Repeat("x", 40_000), `"}`}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, part := range parts {
			io.WriteString(w, part)
			w.(http.Flusher).Flush()
		}
	}))
	defer server.Close()
	length := int64(len(strings.Join(parts, "")))
	short := length - 1
	for name, c := range map[string]struct {
		expect wire.Expect
		cause  load.Cause
	}{
		"status":           {wire.Expect{Status: []string{"201", "2xx"}}, load.OK},
		"another status":   {wire.Expect{Status: []string{"201", "4xx"}}, load.WrongStatus},
		"length":           {wire.Expect{Length: &length}, load.OK},
		"another length":   {wire.Expect{Length: &short}, load.WrongLength},
		"text over chunks": {wire.Expect{Body: `"id": 7}`}, load.OK},
		"another text":     {wire.Expect{Body: `"id": 8}`}, load.WrongBody},
		"value":            {wire.Expect{JSON: "items.0.id=7"}, load.OK},
		"value by query":   {wire.Expect{JSON: "items.#(id==7).id=7"}, load.OK},
		"another value":    {wire.Expect{JSON: "items.0.id=8"}, load.WrongBody},
		"no such value":    {wire.Expect{JSON: "items.1.id"}, load.WrongBody},
		"first what fails": {wire.Expect{Status: []string{"404"}, Length: &short, Body: "z"}, load.WrongStatus},
	} {
		for engine := range engines {
			got := fire(t, engine, server.URL, wire.Options{Expect: c.expect}, 1, 30)
			if got.Causes[c.cause] != 30 && c.cause != load.OK || c.cause == load.OK && got.Answered != 30 {
				t.Errorf("%s on the %s: %+v, want all %s", name, engine, got.Counts, c.cause)
			}
		}
	}
}
