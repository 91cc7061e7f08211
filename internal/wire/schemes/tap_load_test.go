package schemes_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/internal/wire/tap"
	"github.com/gohone/hone/load"
)

// sampledOf loads a target with n requests and returns what was sampled of them.
func sampledOf(t *testing.T, engine, url string, o wire.Options, depth int, n uint64) []tap.Sampled {
	t.Helper()
	target, err := schemes.Parse(url, o)
	if err != nil {
		t.Fatal(err)
	}
	tap, dial := tap.New(target), target.Dialer(nil)
	if err := target.Prepare(t.Context(), dial); err != nil {
		t.Fatal(err)
	}
	plan := load.Plan{Connections: 2, Depth: depth, Timeout: 20 * time.Second}
	s, err := load.Open(context.Background(), plan, tap, func(ctx context.Context) (net.Conn, error) {
		c, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		return engines[engine](c), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var all load.Tally
	for range 4 { // of several stretches, between which nothing is outstanding
		g := load.Stretch{Schedule: load.Schedule{Requests: n / 4}, Drain: 20 * time.Second}
		if err := s.Run(context.Background(), g, all.Add); err != nil {
			t.Error(err)
		}
	}
	if c, err := s.Close(); err != nil || c.Answered != n/4*4 {
		t.Errorf("%d of %d answered: %v, %v", c.Answered, n, c.ByCause(), err)
	}
	return tap.Answers()
}

// sampleHandler answers with the path, and with what differs by nature in the header.
func sampleHandler(count *atomic.Int64) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n := count.Add(1)
		w.Header().Set("X-Request-Id", fmt.Sprint(n))
		w.Header().Set("Set-Cookie", fmt.Sprint("session=", n))
		w.Header().Set("X-Kind", "sample")
		switch r.URL.Path {
		case "/chunked":
			for range 3 {
				io.WriteString(w, "piece xxxxx")
				w.(http.Flusher).Flush()
			}
		case "/large":
			w.Write(slices.Repeat([]byte("0123456789"), 100_000))
		case "/none":
			w.WriteHeader(http.StatusNoContent)
		default:
			fmt.Fprintf(w, "this is http://%s%s", r.Host, r.URL.Path)
		}
	}
}

// The tap reads whole answers of HTTP/1.1 and HTTP/2, without what differs by nature.
func TestTapReadsAnswersOfHTTP(t *testing.T) {
	var count atomic.Int64
	plain := httptest.NewServer(sampleHandler(&count))
	defer plain.Close()
	second := httptest.NewUnstartedServer(sampleHandler(&count))
	second.Config.Protocols = new(http.Protocols)
	second.Config.Protocols.SetUnencryptedHTTP2(true)
	second.Start()
	defer second.Close()
	lengths := map[string]int64{
		"/": int64(len("this is http://127.0.0.1:{port}/")), "/chunked": 33, "/large": 1_000_000, "/none": 0,
	}
	for path, length := range lengths {
		contents := map[uint64]bool{}
		var fields []tap.SampledField
		for engine := range engines {
			for url, http2 := range map[string]bool{plain.URL: false, second.URL: true} {
				for _, depth := range []int{1, 4} {
					if depth > 1 && path == "/large" {
						continue // of large answers that come at once most are left out
					}
					name := fmt.Sprintf("%s over the %s, HTTP/2 %v, depth %d", path, engine, http2, depth)
					all := sampledOf(t, engine, url+path+"?secret=1", wire.Options{HTTP2: http2}, depth, 160)
					if len(all) < 16 {
						t.Errorf("%s: %d answers", name, len(all))
					}
					for _, s := range all {
						if s.Length != length || s.What != "GET "+path ||
							s.Code != map[bool]int{true: 204, false: 200}[length == 0] {
							t.Fatalf("%s: read %+v", name, s)
						}
						if fields == nil {
							fields = s.Fields
						}
						if i := slices.IndexFunc(s.Fields,
							func(f tap.SampledField) bool { return f.Name == "Set-Cookie" }); i < 0 ||
							!slices.Equal(s.Fields, fields) {
							t.Fatalf("%s: fields %+v, want %+v: values that differ by nature are masked", name,
								s.Fields, fields)
						}
						contents[s.Content] = true
					}
				}
			}
		}
		if len(contents) != 1 {
			t.Errorf("%s: %d different contents", path, len(contents))
		}
	}
}

// Requests of a feed are told apart, and are the same ones in the next session.
func TestTapTellsRequestsApart(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		io.WriteString(w, r.URL.Path)
	}))
	defer server.Close()
	var rows [][]string
	for i := range 10 {
		rows = append(rows, []string{fmt.Sprint("row", i)})
	}
	o := wire.Options{Feed: &wire.Feed{Names: []string{"id"}, Rows: rows}}
	var before map[uint64]uint64
	for engine := range engines {
		bodies := map[uint64]uint64{}
		for _, s := range sampledOf(t, engine, server.URL+"/{id}", o, 1, 400) {
			if was, ok := bodies[s.Request]; ok && was != s.Content {
				t.Fatalf("two contents for %s", s.What)
			}
			bodies[s.Request] = s.Content
		}
		if len(bodies) != len(rows) || before != nil && !maps.Equal(before, bodies) {
			t.Errorf("over the %s: %d requests, want %d; before %v, now %v", engine, len(bodies), len(rows), before,
				bodies)
		}
		before = bodies
	}
}

// Frames are compared without the number of the request.
func TestTapReadsFrames(t *testing.T) {
	url := serveTCP(t, func(c net.Conn) {
		for {
			head := make([]byte, 4)
			if _, err := io.ReadFull(c, head); err != nil {
				return
			}
			body := make([]byte, binary.BigEndian.Uint32(head))
			if _, err := io.ReadFull(c, body); err != nil {
				return
			}
			answer := append([]byte{0, 0, 0, 6}, body[:4]...)
			if _, err := c.Write(append(answer, "ok"...)); err != nil {
				return
			}
		}
	})
	for engine := range engines {
		all := sampledOf(t, engine, url, wire.Options{Frame: idFrame, Body: []byte(idBody)}, 3, 400)
		if len(all) < 16 {
			t.Errorf("%d answers over the %s", len(all), engine)
		}
		for _, s := range all {
			if s.Request != all[0].Request || s.Content != all[0].Content || s.Length != 10 {
				t.Fatalf("over the %s: %+v, the first %+v", engine, s, all[0])
			}
		}
	}
}

// What was read after the last event that a request asked for is no part of its answer, and no difference.
func TestTapReadsStreamsThatRequestsEnd(t *testing.T) {
	serve := func(pause time.Duration) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for i := range 5 {
				fmt.Fprintf(w, "data: %d\n\n", i)
				if pause > 0 {
					w.(http.Flusher).Flush()
					time.Sleep(pause) // the messages come one by one, or all at once
				}
			}
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}))
		t.Cleanup(server.Close)
		return server.URL + "/events"
	}
	for streams, length := range map[wire.Streams]int64{
		{Messages: 3}: 3 * int64(len("data: 0\n\n")), {For: time.Nanosecond}: 0,
	} {
		o := wire.Options{Streams: streams}
		once, slowly := sampledOf(t, "event loop", serve(0), o, 1, 40),
			sampledOf(t, "event loop", serve(5*time.Millisecond), o, 1, 40)
		if len(once) == 0 || len(slowly) == 0 {
			t.Fatalf("%+v: %d and %d answers were sampled", streams, len(once), len(slowly))
		}
		for _, s := range slices.Concat(once, slowly) {
			if s.Length != length || s.Content != once[0].Content || s.Code != 200 || len(s.Fields) == 0 {
				t.Errorf("%+v: an answer %+v, want the one of %d bytes %+v", streams, s, length, once[0])
			}
		}
	}
}
