package schemes_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	coder "github.com/coder/websocket"
	gorilla "github.com/gorilla/websocket"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/internal/wire/ws"
	"github.com/gohone/hone/load"
)

// message is what a server got, and what it does with it.
type message struct {
	path   string
	binary bool
	text   []byte
	n      int // of the connection
	write  func(binary bool, text []byte)
	ping   func(text string)
	// cut ends the connection without a word, closeWith with a code.
	cut       func()
	closeWith func(code int)
}

// answerAs answers in all the ways that the tests need, by the path.
func answerAs(m message) {
	switch m.path {
	case "/echo", "/greet":
		m.write(m.binary, m.text)
	case "/ping":
		m.ping("are you there")
		m.write(m.binary, m.text)
	case "/twice":
		m.write(m.binary, m.text)
		m.write(m.binary, m.text)
	case "/broadcast":
		m.write(false, []byte(`{"event": "joined"}`))
		m.write(false, []byte(`{"id": null, "event": "said"}`))
		m.write(m.binary, m.text)
		m.write(false, []byte(`{"event": "left"}`))
	case "/withheld":
	case "/wrong-text":
		m.write(false, []byte("\xff"))
	case "/cut":
		if m.n == 3 {
			m.cut()
			return
		}
		m.write(m.binary, m.text)
	case "/other":
		m.write(m.binary, append([]byte{0xff, 0xff, 0xff, 0xff}, m.text...))
	case "/leave":
		if m.n == 3 {
			m.closeWith(1001)
			return
		}
		m.write(m.binary, m.text)
	}
}

// serveGorilla and serveCoder start an HTTP server whose connections are WebSocket, each by another library.
func serveGorilla(t *testing.T) (url string) {
	up := gorilla.Upgrader{CheckOrigin: func(*http.Request) bool { return true }, Subprotocols: []string{"demo"}}
	return serveUpgrades(t, func(w http.ResponseWriter, r *http.Request) {
		c, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		greetAs(r.URL.Path, func(text string) { _ = c.WriteMessage(gorilla.TextMessage, []byte(text)) })
		for n := 1; ; n++ {
			kind, text, err := c.ReadMessage()
			if err != nil {
				return
			}
			kinds := map[bool]int{false: gorilla.TextMessage, true: gorilla.BinaryMessage}
			answerAs(message{path: r.URL.Path, binary: kind == gorilla.BinaryMessage, text: text, n: n,
				write: func(binary bool, text []byte) { _ = c.WriteMessage(kinds[binary], text) },
				ping: func(text string) {
					_ = c.WriteControl(gorilla.PingMessage, []byte(text), time.Now().Add(time.Minute))
				},
				cut: func() { c.NetConn().Close() },
				closeWith: func(code int) {
					_ = c.WriteControl(gorilla.CloseMessage, gorilla.FormatCloseMessage(code, "bye"),
						time.Now().Add(time.Minute))
				},
			})
		}
	})
}

func serveCoder(t *testing.T) (url string) {
	return serveUpgrades(t, func(w http.ResponseWriter, r *http.Request) {
		c, err := coder.Accept(w, r, &coder.AcceptOptions{Subprotocols: []string{"demo"}})
		if err != nil {
			return
		}
		defer func() { _ = c.CloseNow() }()
		c.SetReadLimit(-1)
		ctx := context.Background()
		greetAs(r.URL.Path, func(text string) { _ = c.Write(ctx, coder.MessageText, []byte(text)) })
		for n := 1; ; n++ {
			kind, text, err := c.Read(ctx)
			if err != nil {
				return
			}
			kinds := map[bool]coder.MessageType{false: coder.MessageText, true: coder.MessageBinary}
			answerAs(message{path: r.URL.Path, binary: kind == coder.MessageBinary, text: text, n: n,
				write: func(binary bool, text []byte) { _ = c.Write(ctx, kinds[binary], text) },
				// ends with the pong, which the next Read takes
				ping:      func(string) { go func() { _ = c.Ping(ctx) }() },
				cut:       func() { _ = c.CloseNow() },
				closeWith: func(code int) { _ = c.Close(coder.StatusCode(code), "bye") },
			})
		}
	})
}

func serveUpgrades(t *testing.T, handler http.HandlerFunc) (url string) {
	t.Helper()
	var all sync.WaitGroup // of connections, which the server does not wait for
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/refuse":
			http.Error(w, "who are you", http.StatusUnauthorized)
			return
		case r.URL.Path == "/plain":
			fmt.Fprint(w, "hello")
			return
		}
		all.Add(1)
		defer all.Done()
		handler(w, r)
	}))
	t.Cleanup(func() { s.Close(); all.Wait() })
	return strings.Replace(s.URL, "http", "ws", 1)
}

var socketServers = map[string]func(*testing.T) string{"gorilla": serveGorilla, "coder": serveCoder}

func TestWebSocketLoadsTheLibraries(t *testing.T) {
	large := strings.Repeat("0123456789abcdef", 20_000)
	for server, serve := range socketServers {
		url := serve(t)
		for engine := range engines {
			for _, c := range []struct {
				name, path string
				options    wire.Options
				depth      int
				n          uint64
			}{
				{"nothing", "/echo", wire.Options{}, 1, 60},
				{"text", "/echo", wire.Options{Body: []byte("grüße"),
					Expect: wire.Expect{Length: new(int64(7)), Body: "üß"}}, 20, 600},
				{"binary", "/echo", wire.Options{Body: []byte("\xff\x00"), WebSocket: wire.WebSocket{Binary: true}}, 20,
					600},
				{"over 125 bytes", "/echo", wire.Options{Body: []byte(large[:300]),
					Expect: wire.Expect{Length: new(int64(300))}}, 5, 60},
				{"over 65,535 bytes", "/echo", wire.Options{Body: []byte(large),
					Expect: wire.Expect{Length: new(int64(len(large)))}}, 2, 30},
				{"a subprotocol", "/echo", wire.Options{WebSocket: wire.WebSocket{Subprotocol: "demo"}}, 1, 30},
				{"pings", "/ping", wire.Options{Body: []byte("x")}, 1, 60},
				{"ids", "/echo", wire.Options{Body: []byte(`{"id": {n}, "x": "y"}`), WebSocket: wire.WebSocket{ID: "id"},
					Expect: wire.Expect{JSON: "x=y"}}, 7, 300},
				{"a feed", "/echo", wire.Options{Body: []byte(`{"user": "{user}"}`), Feed: table("user", "ann", "bob"),
					Expect: wire.Expect{JSON: "user"}}, 3, 60},
			} {
				got := fire(t, engine, url+c.path, c.options, c.depth, c.n)
				wantRight(t, fmt.Sprintf("%s with %s over the %s", c.name, server, engine), got, c.n)
			}
		}
	}
}

func TestWebSocketWrongAnswers(t *testing.T) {
	for server, serve := range socketServers {
		url := serve(t)
		for _, c := range []struct {
			name, path string
			options    wire.Options
			cause      load.Cause
		}{
			{"another length", "/echo", wire.Options{Body: []byte("abc"), Expect: wire.Expect{Length: new(int64(4))}},
				load.WrongLength},
			{"another value", "/echo", wire.Options{Body: []byte(`{"a": 1}`), Expect: wire.Expect{JSON: "a=2"}},
				load.WrongBody},
			{"text that is not UTF-8", "/wrong-text", wire.Options{Body: []byte("abc")}, load.Malformed},
		} {
			got := tryToFire(t, "event loop", url+c.path, c.options, 1, 12)
			if got.Failed == 0 || got.Causes[c.cause] != got.Failed || got.Answered != 0 {
				t.Errorf("%s with %s: want only %v, got %+v: %v", c.name, server, c.cause, got.Counts, got.ByCause())
			}
		}
		o := wire.Options{Body: []byte(`{"id": 100, "n": {n}}`), WebSocket: wire.WebSocket{ID: "id"}}
		if got := brief(t, url+"/echo", o, load.Plan{Connections: 2, Depth: 1, Timeout: 10 * time.Second,
			RequestTimeout: 50 * time.Millisecond}, 4); got.Causes[load.WrongID] != 4 || got.Causes[load.Timeout] != 4 {
			t.Errorf("other ids with %s: %+v: %v", server, got.Counts, got.ByCause())
		}
		if got := tryToFire(t, "event loop", url+"/twice", wire.Options{Body: []byte("x")}, 1, 12); got.Stray == 0 {
			t.Errorf("two answers to one message with %s: %+v: %v", server, got.Counts, got.ByCause())
		}
	}
}

// greetAs is what a server sends before it reads.
func greetAs(path string, write func(text string)) {
	if path == "/greet" {
		write("welcome")
		write(strings.Repeat("news ", 100))
	}
}

// A greeting is not an answer, and is left out on each connection.
func TestWebSocketThatGreets(t *testing.T) {
	for server, serve := range socketServers {
		target := parse(t, serve(t)+"/greet", wire.Options{Body: []byte("x"),
			Expect: wire.Expect{Body: "x", Length: new(int64(1))}})
		wantRight(t, "a greeting of "+server, briefOf(t, target,
			load.Plan{Connections: 3, Depth: 2, Timeout: 20 * time.Second}, 60), 60)
		if notes := fmt.Sprint(target.Notes()); notes != "[6 messages that the server sent on connections before their first request are left out, as a greeting]" {
			t.Errorf("%s: notes %s", server, notes)
		}
	}
}

// Messages that --set ws.skip names answer nothing, in order and with --expect-json; without it the order is lost, and
// the measurement invalid.
func TestWebSocketSkips(t *testing.T) {
	plan := load.Plan{Connections: 2, Depth: 3, Timeout: 10 * time.Second}
	for server, serve := range socketServers {
		url := serve(t) + "/broadcast"
		for _, c := range []struct {
			skip   []string
			expect wire.Expect
			lost   bool
		}{
			{skip: []string{"event"}},
			{skip: []string{"event=joined", "event=said", `~"event": "l[a-z]+t"`}, expect: wire.Expect{JSON: "a=1"}},
			{skip: []string{"~^{.event", "id=null"}, expect: wire.Expect{Body: "1"}},
			{skip: []string{"event=joined"}, lost: true},
			{lost: true},
		} {
			target := parse(t, url, wire.Options{Body: []byte(`{"a": 1}`), WebSocket: wire.WebSocket{Skip: c.skip},
				Expect: c.expect})
			got := briefOf(t, target, plan, 40)
			if !c.lost {
				wantRight(t, fmt.Sprint(c.skip, " with ", server), got, 40)
			}
			if doubts := ws.OrderDoubt(target.Notes()); (len(doubts) > 0) != c.lost {
				t.Errorf("%q with %s: doubts %v, notes %s", c.skip, server, doubts, target.Notes())
			}
			if n := strings.Contains(fmt.Sprint(target.Notes()),
				"messages that --set ws.skip names are left out"); n != (c.skip != nil) {
				t.Errorf("%q with %s: notes %s", c.skip, server, target.Notes())
			}
		}
	}
	for _, text := range []string{"", "~", "~(", "=a", "a(b"} {
		_, err := schemes.Parse("ws://h", wire.Options{WebSocket: wire.WebSocket{Skip: []string{text}}})
		wantInputError(t, text, err, "messages to be left out", "--set ws.skip=event")
	}
}

// What a server sends by itself is told from answers by the id, and said where there is none.
func TestWebSocketThatBroadcasts(t *testing.T) {
	for server, serve := range socketServers {
		url := serve(t)
		plan := load.Plan{Connections: 2, Depth: 2, Timeout: 10 * time.Second}
		told := parse(t, url+"/broadcast", wire.Options{Body: []byte(`{"id": {n}}`), WebSocket: wire.WebSocket{ID: "id"}})
		if got := briefOf(t, told, plan, 40); got.Answered != 40 || got.Failed+got.Stray != 0 {
			t.Errorf("with ids with %s: %+v: %v", server, got.Counts, got.ByCause())
		}
		if notes := fmt.Sprint(told.Notes()); !strings.Contains(notes, `without an id at "id" are left out`) {
			t.Errorf("with ids with %s: notes %s", server, notes)
		}
		plain := parse(t, url+"/broadcast", wire.Options{Body: []byte("x")})
		if got := briefOf(t, plain, plan, 12); got.Stray == 0 ||
			!strings.Contains(fmt.Sprint(plain.Notes()), "that belong to no request") {
			t.Errorf("in order with %s: %+v: %v, notes %s", server, got.Counts, got.ByCause(), plain.Notes())
		}
	}
}

// Connections that end are replaced, and messages without an answer are lost with them.
func TestWebSocketGoesOnAfterTheEnd(t *testing.T) {
	for server, serve := range socketServers {
		url := serve(t)
		for _, path := range []string{"/cut", "/leave"} {
			target := parse(t, url+path, wire.Options{Body: []byte("x")})
			all := briefOf(t, target, load.Plan{Connections: 2, Depth: 1, Timeout: 10 * time.Second}, 30)
			// Each connection carries two right answers, but for the last ones.
			if lost := all.Causes[load.Closed] + all.Causes[load.Reset]; all.Answered+lost != 30 || lost < 8 ||
				lost > 10 || all.Failed != lost {
				t.Errorf("%s with %s: want about 20 right and 10 lost, got %+v: %v", path, server, all.Counts,
					all.ByCause())
			}
			if notes := fmt.Sprint(target.Notes()); strings.Contains(notes,
				"with 1001 (going away)") != (path == "/leave") {
				t.Errorf("%s with %s: notes %s", path, server, notes)
			}
		}
	}
}

func TestWebSocketWithheldAnswers(t *testing.T) {
	url := serveGorilla(t)
	plan := load.Plan{Connections: 2, Depth: 2, Timeout: 10 * time.Second, RequestTimeout: 50 * time.Millisecond}
	if all := brief(t, url+"/withheld", wire.Options{Body: []byte("x")}, plan, 8); all.Causes[load.Timeout] != 8 {
		t.Errorf("want 8 timeouts, got %+v: %v", all.Counts, all.ByCause())
	}
}

// brief sends n requests under a plan and returns what came of them.
func brief(t *testing.T, url string, o wire.Options, plan load.Plan, n uint64) load.Tally {
	t.Helper()
	return briefOf(t, parse(t, url, o), plan, n)
}

func briefOf(t *testing.T, target schemes.Target, plan load.Plan, n uint64) (all load.Tally) {
	t.Helper()
	s, err := load.Open(t.Context(), plan, target, target.Dialer(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), load.Stretch{Schedule: load.Schedule{Requests: n}, Drain: 10 * time.Second},
		all.Add); err != nil {
		t.Error(err)
	}
	if _, err := s.Close(); err != nil {
		t.Error(err)
	}
	return all
}

func TestWebSocketUpgradesThatFail(t *testing.T) {
	url := serveGorilla(t)
	broken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer broken.Close()
	var answer atomic.Value
	go func() { // ends with the listener
		for {
			c, err := broken.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 4096))
			fmt.Fprint(c, answer.Load())
			c.Close()
		}
	}()
	const switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
	for _, c := range []struct {
		name, url, answer string
		options           wire.Options
		text              string
	}{
		{"401", url + "/refuse", "", wire.Options{}, `the server answers "401 Unauthorized"`},
		{"200", url + "/plain", "", wire.Options{}, `the server answers "200 OK"`},
		{"subprotocol", url + "/echo", "", wire.Options{WebSocket: wire.WebSocket{Subprotocol: "other"}},
			`does not speak the subprotocol "other"`},
		{"no HTTP", "", "SSH-2.0\r\n\r\n", wire.Options{}, "does not answer as HTTP does"},
		{"cut off", "", "HTTP/1.1 101", wire.Options{}, "unexpected EOF"},
		{"wrong key", "", switching + "Sec-WebSocket-Accept: x\r\n\r\n", wire.Options{},
			"Sec-WebSocket-Accept does not fit"},
		{"other protocol", "", "HTTP/1.1 101 S\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n", wire.Options{},
			`switches to another protocol, "h2c"`},
		{"no end", "", "HTTP/1.1 101 S\r\n" + strings.Repeat("X: y\r\n", 100_000), wire.Options{},
			"its head does not end"},
	} {
		answer.Store(c.answer)
		if c.url == "" {
			c.url = "ws://" + broken.Addr().String()
		}
		target := parse(t, c.url, c.options)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		_, err := target.Dialer(nil)(ctx)
		cancel()
		if err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %q", c.name, err, c.text)
		}
		if known := (*fail.Error)(nil); strings.Contains(c.text, "the server answers") &&
			(!errors.As(err, &known) || known.Hint == "") {
			t.Errorf("%s: %v has no hint", c.name, err)
		}
	}
}

// Binary messages have the number of their request at a place; answers may come in any order.
func TestWebSocketIDsAtAPlace(t *testing.T) {
	for name, serve := range map[string]func(*testing.T) string{"gorilla": serveGorilla, "coder": serveCoder} {
		o := wire.Options{Body: make([]byte, 12), WebSocket: wire.WebSocket{Binary: true, ID: "@3:1"}}
		wantRight(t, name, fire(t, "event loop", serve(t)+"/echo", o, 8, 900), 900)
	}
	// An answer with another number belongs to no request.
	o := wire.Options{Body: []byte("12345678"), WebSocket: wire.WebSocket{Binary: true, ID: "@0:4"}}
	plan := load.Plan{Connections: 1, Depth: 1, Timeout: 20 * time.Second, RequestTimeout: 200 * time.Millisecond}
	if got := run(t, serveGorilla(t)+"/other", o, plan, 1); got.Answered > 0 || got.Causes[load.WrongID] == 0 {
		t.Errorf("%+v, want a wrong id", got.Counts)
	}
	for id, text := range map[string]string{"@3": "not the place of a number", "@x:4": "not the place",
		"@0:3": "not the place", "@6:4": "the message has 8 bytes"} {
		o.WebSocket.ID = id
		_, err := schemes.Parse("ws://127.0.0.1:1/", o)
		wantInputError(t, id, err, text, "--")
	}
	_, err := schemes.Parse("ws://127.0.0.1:1/", wire.Options{Body: []byte("1234"),
		WebSocket: wire.WebSocket{ID: "@0:4"}})
	wantInputError(t, "text", err, "makes messages binary", "--set ws.binary")
}
