package schemes_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// firstAfter is how long the streams below let their first byte wait, between how long each of their messages.
const firstAfter, between = 30 * time.Millisecond, 5 * time.Millisecond

// serveStream serves a stream: as many messages as ?n= says, 0 for no end; ?cut=1 aborts the answer after them;
// ?silent=1 sends no more and does not end it.
func serveStream(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.FormValue("n"))
	message := "chunk"
	if r.URL.Path == "/events" {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		message = ": a comment\nevent: tick\ndata: 1\n\n"
	}
	time.Sleep(firstAfter)
	for i := 0; (n == 0 || i < n) && r.Context().Err() == nil; i++ {
		if i > 0 {
			time.Sleep(between)
		}
		fmt.Fprint(w, message)
		w.(http.Flusher).Flush()
	}
	switch {
	case r.FormValue("cut") != "":
		panic(http.ErrAbortHandler)
	case r.FormValue("silent") != "":
		<-r.Context().Done()
	}
}

// serveStreams serves streams over HTTP/1.1 and HTTP/2.
func serveStreams(t *testing.T) string {
	t.Helper()
	return serveBoth(t, serveStream)
}

// serveBoth serves over HTTP/1.1 and HTTP/2, without TLS.
func serveBoth(t *testing.T, serve http.HandlerFunc) (url string) {
	t.Helper()
	s := httptest.NewUnstartedServer(serve)
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetHTTP1(true)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

// Each stream has its time to first byte, its messages, and the gaps between them, on both versions of HTTP.
func TestStreamsAreTimedAndCounted(t *testing.T) {
	url := serveStreams(t)
	all := wire.Streams{All: true}
	ends := func(n int) wire.Streams { return wire.Streams{All: true, Messages: n} }
	for _, c := range []struct {
		path     string
		streams  wire.Streams
		messages uint64 // of each of the two requests
		causes   []load.Cause
	}{
		{"/events?n=3", wire.Streams{}, 3, nil},
		{"/events?n=0", wire.Streams{Messages: 4}, 4, nil},
		{"/chunks?n=3", all, 3, nil},
		{"/chunks?n=0", ends(2), 2, nil},
		{"/events?n=2&cut=1", wire.Streams{}, 2, []load.Cause{load.WrongLength, load.Closed}},
		{"/events?n=2&silent=1", wire.Streams{}, 2, []load.Cause{load.EventStream}},
		{"/events?n=2&silent=1", ends(3), 2, []load.Cause{load.EventStream}},
	} {
		for _, http2 := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, %+v, HTTP/2 %v", c.path, c.streams, http2), func(t *testing.T) {
				t.Parallel() // it mostly waits
				o := wire.Options{Streams: c.streams, HTTP2: http2}
				plan := load.Plan{Connections: 2, Depth: 1, Timeout: 20 * time.Second, RequestTimeout: 2 * time.Second}
				plan = allowed(t, url+c.path, o, plan)
				got := loadPath(t, url+c.path, o, plan, engines["event loop"])
				if got.Messages != 2*c.messages {
					t.Errorf("%d messages, want %d", got.Messages, 2*c.messages)
				}
				wrong := uint64(0)
				for _, cause := range c.causes {
					wrong += got.Causes[cause]
				}
				if len(c.causes) == 0 && got.Answered != 2 || len(c.causes) > 0 && (got.Answered != 0 || wrong != 2) {
					t.Fatalf("%+v, want 2 of %v", got.Counts, c.causes)
				}
				if n := got.FirstByte.TotalCount(); n != 2 || time.Duration(got.FirstByte.Min()) < firstAfter {
					t.Errorf("%d times to first byte, the least %v, want 2 of at least %v", n,
						time.Duration(got.FirstByte.Min()), firstAfter)
				}
				// A late reader finds messages together: gaps shrink, but only by what the first byte was late. The
				// time of a message is that of the turn of the loop that reads it, which on a busy machine is before it
				// came.
				gaps, n := time.Duration(got.Gaps.Mean()), got.Gaps.TotalCount()
				pauses := time.Duration(c.messages - 1)
				whole := time.Duration(got.FirstByte.Mean()) + pauses*gaps
				if least := firstAfter + pauses*between; n != int64(2*pauses) || whole < least*9/10 {
					t.Errorf("%d gaps of %v, the last message after %v, want %d of about %v, and %v", n, gaps, whole,
						2*pauses, between, least)
				}
			})
		}
	}
}

// allowed is the plan that a target takes for its streams.
func allowed(t *testing.T, url string, o wire.Options, plan load.Plan) load.Plan {
	t.Helper()
	plan, err := parse(t, url, o).Allow(plan)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// A request for a stream may also end by time, with the first message behind it.
func TestStreamsEndByTime(t *testing.T) {
	url := serveStreams(t)
	for _, http2 := range []bool{false, true} {
		o := wire.Options{Streams: wire.Streams{For: 100 * time.Millisecond}, HTTP2: http2}
		plan := allowed(t, url+"/events?n=0", o, load.Plan{Connections: 2, Depth: 1, Timeout: 20 * time.Second})
		got := loadPath(t, url+"/events?n=0", o, plan, engines["portable"])
		if least := time.Duration(got.Service.Min()); got.Answered != 2 || least < 100*time.Millisecond ||
			got.Messages < 4 {
			t.Errorf("HTTP/2 %v: %d answered after %v, with %d messages", http2, got.Answered, least, got.Messages)
		}
	}
}

// An answer is no stream unless it says so, or all are.
func TestAnswersThatAreNoStreams(t *testing.T) {
	url := serveStreams(t)
	got := loadPath(t, url+"/chunks?n=2", wire.Options{},
		load.Plan{Connections: 2, Depth: 1, Timeout: 20 * time.Second}, engines["event loop"])
	if got.Answered != 2 || got.Messages != 0 || got.FirstByte != nil || got.Gaps != nil {
		t.Errorf("%+v, first byte %v", got.Counts, got.FirstByte)
	}
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		fmt.Fprint(w, "hello")
	}))
	defer plain.Close()
	all := fire(t, "event loop", plain.URL, wire.Options{Streams: wire.Streams{All: true}}, 4, 100)
	if all.Answered != 100 || all.FirstByte.TotalCount() != 100 || all.Messages != 0 {
		t.Errorf("%d answered, %d first bytes, %d messages, want 100, 100, 0", all.Answered, all.FirstByte.TotalCount(),
			all.Messages)
	}
}

// A pipeline cannot end one of its requests.
func TestStreamsThatEndTakeNoPipeline(t *testing.T) {
	o := wire.Options{Streams: wire.Streams{Messages: 1}}
	_, err := parse(t, "http://127.0.0.1:1", o).Allow(load.Plan{Connections: 1, Depth: 2})
	wantInputError(t, "pipeline", err, "2 are to be outstanding", "--depth 1, or --http2")
	for _, url := range []string{"grpc://127.0.0.1:1/a.B/C", "grpcs://127.0.0.1:1/a.B/C"} {
		allowed(t, url, o, load.Plan{Connections: 1, Depth: 2})
	}
	_, err = schemes.Parse("http://127.0.0.1:1", wire.Options{Streams: wire.Streams{Messages: -1}})
	wantInputError(t, "messages", err, "cannot end after -1 messages", "--set stream.messages")
}

// A call whose method answers with a stream is one: it begins with its first message.
func TestStreamsOfGRPC(t *testing.T) {
	url := serveGRPC(t, &greeter{}, v1)
	body := `{"responseParameters": [{"size": 1}, {"size": 2, "intervalUs": 20000}, {"size": 3, "intervalUs": 20000}]}`
	for streams, want := range map[wire.Streams]uint64{{}: 3, {Messages: 2}: 2} {
		got := fire(t, "event loop", url+"StreamingOutputCall", wire.Options{Body: []byte(body), Streams: streams}, 4,
			20)
		if got.Answered != 20 || got.Messages != 20*want || got.FirstByte.TotalCount() != 20 ||
			got.Gaps.TotalCount() != int64(20*(want-1)) {
			t.Fatalf("%+v: %+v, %d first bytes", streams, got.Counts, got.FirstByte.TotalCount())
		}
		if mean := time.Duration(got.Gaps.Mean()); mean < 10*time.Millisecond {
			t.Errorf("%+v: the gaps are %v, want about 20 ms", streams, mean)
		}
	}
	unary := fire(t, "event loop", url+"UnaryCall",
		wire.Options{Body: []byte(`{"responseSize": 1}`), Streams: wire.Streams{All: true}}, 4, 20)
	if unary.Answered != 20 || unary.Messages != 0 || unary.FirstByte != nil {
		t.Errorf("a unary call is a stream: %+v", unary.Counts)
	}
}

// A message over WebSocket may be answered by a stream; what comes beside is counted, and is no fault.
func TestStreamsOfWebSocket(t *testing.T) {
	up := websocket.Upgrader{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		for {
			if _, _, err := c.ReadMessage(); err != nil {
				return
			}
			for i := range 4 { // one more than is asked for
				stamp := time.Now().Add(-time.Second)
				if i > 0 {
					time.Sleep(between)
				}
				if c.WriteMessage(websocket.TextMessage,
					fmt.Appendf(nil, `{"at": %d, "price": %d}`, stamp.UnixMilli(), i)) != nil {
					return
				}
			}
		}
	}))
	defer server.Close()
	url := strings.Replace(server.URL, "http", "ws", 1)
	o := wire.Options{
		Body: []byte("subscribe"), Streams: wire.Streams{Messages: 3}, WebSocket: wire.WebSocket{Age: "at"},
		Expect: wire.Expect{JSON: "price"},
	}
	got := fire(t, "event loop", url, o, 1, 1)
	age := time.Duration(got.MessageAge.Mean())
	if got.Answered != 1 || got.Messages < 3 || got.FirstByte.TotalCount() != 1 ||
		got.MessageAge.TotalCount() != int64(got.Messages) || age < time.Second || age > 10*time.Second {
		t.Errorf("%+v, ages %v", got.Counts, age)
	}
	if got.Stray > 0 {
		t.Errorf("messages that nothing asked for are a fault: %+v", got.Counts)
	}
	o.WebSocket.ID, o.Body = "id", []byte("{n}")
	_, err := schemes.Parse(url, o)
	wantInputError(t, "id", err, "one message with an id and also a stream", "--set ws.id")
	_, err = schemes.Parse(url, wire.Options{WebSocket: wire.WebSocket{Age: "at"}})
	wantInputError(t, "age", err, "each answer is one message", "--set stream.messages")
}
