package schemes_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// streams serve answers that do not end, and some that do.
func streams(w http.ResponseWriter, r *http.Request) {
	send := func(text string) {
		fmt.Fprint(w, text)
		w.(http.Flusher).Flush()
	}
	switch r.URL.Path {
	case "/events": // one event, and then nothing for a long time
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		send("data: x\n\n")
		<-r.Context().Done()
	case "/events-that-end":
		w.Header().Set("Content-Type", "text/event-stream")
		send("data: x\n\n")
		send("data: [DONE]\n\n")
	case "/endless":
		for r.Context().Err() == nil {
			send("tick\n")
			time.Sleep(5 * time.Millisecond)
		}
	case "/half":
		send("half an answer")
		<-r.Context().Done()
	}
}

// An answer without end fails when it has taken the time of an answer, although bytes keep
// coming; one that only stopped coming is not called so.
func TestAnswersWithoutEnd(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(streams))
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetHTTP1(true)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	t.Cleanup(s.Close)
	const wait = 300 * time.Millisecond
	silence := load.Plan{Connections: 2, Depth: 1, Timeout: wait}
	each := load.Plan{Connections: 2, Depth: 1, Timeout: wait, RequestTimeout: wait}
	early := load.Plan{Connections: 2, Depth: 1, Timeout: time.Minute, RequestTimeout: time.Minute, StreamTimeout: wait}
	for _, c := range []struct {
		path  string
		http2 bool
		plan  load.Plan
		cause load.Cause
	}{
		{"/events", false, silence, load.EventStream},
		{"/events", false, early, load.EventStream},
		{"/events-that-end", false, silence, load.OK},
		{"/endless", false, silence, load.Endless},
		{"/endless", false, each, load.Endless},
		{"/endless", true, silence, load.Endless},
		{"/half", false, each, load.Timeout},
	} {
		for engine, wrap := range engines {
			t.Run(fmt.Sprintf("%s, HTTP/2 %v, request timeout %v, %s", c.path, c.http2, c.plan.RequestTimeout, engine),
				func(t *testing.T) {
					t.Parallel()
					got := loadPath(t, s.URL+c.path, wire.Options{HTTP2: c.http2}, c.plan, wrap)
					want := [load.NumCauses]uint64{}
					if c.cause != load.OK {
						want[c.cause] = 2
					}
					if got.Causes != want || got.Answered+got.Failed != 2 {
						t.Errorf("want 2 of %q, got %+v", c.cause, got.Counts)
					}
					if d := load.Invalid((load.Evidence{Plan: c.plan,
						Tally: got}).Judge()); (d != nil) != (c.cause != load.OK) ||
						d != nil && (d.Name == load.DoubtEndless) != (c.cause != load.Timeout) {
						t.Errorf("the doubt is %+v", d)
					}
				})
		}
	}
}

// loadPath sends two requests and waits for what comes of them.
func loadPath(t *testing.T, url string, o wire.Options, plan load.Plan, wrap func(net.Conn) net.Conn) load.Tally {
	t.Helper()
	session := open(t, url, o, plan, wrap)
	var all load.Tally
	if err := session.Run(t.Context(), load.Stretch{Schedule: load.Schedule{Requests: 2}, Drain: 20 * time.Second},
		all.Add); err != nil {
		t.Error(err)
	}
	if _, err := session.Close(); err != nil {
		t.Error(err)
	}
	return all
}
