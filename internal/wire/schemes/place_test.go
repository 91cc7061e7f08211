package schemes_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/metadata"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// placed are the requests that a dialog of HTTP/1.1 sends.
func placed(t *testing.T, target string, o wire.Options, conns, each int) (all []string) {
	t.Helper()
	p := parse(t, target, o)
	for conn := range conns {
		d := p.Dialog(conn)
		for seq := range each {
			all = append(all, string(d.AppendRequest(nil, uint64(seq))))
		}
	}
	return all
}

// The places of hone's own are filled in URL, headers and body, each by itself, the same each time.
func TestPlacesOfHTTP(t *testing.T) {
	o := wire.Options{Headers: []string{"X-Request: {n}", "X-Of: {conn}"},
		Body: []byte(`{"a":1,"id":{rand:1000},"b":{n:2}}`)}
	const target = "http://h/items/{rand:50}?r={rand:50}"
	first, again := placed(t, target, o, 2, 50), placed(t, target, o, 2, 50)
	paths, differ, numbers := map[string]bool{}, 0, map[string]bool{}
	for i, r := range first {
		if r != again[i] {
			t.Fatalf("request %d is\n%s\nand the next time\n%s", i, r, again[i])
		}
		var path, query, length, body, n, rest int
		head, content, _ := strings.Cut(r, "\r\n\r\n")
		if _, err := fmt.Sscanf(head, "POST /items/%d?r=%d HTTP/1.1", &path, &query); err != nil || path >= 50 ||
			query >= 50 {
			t.Fatalf("%q: %v", head, err)
		}
		if _, err := fmt.Sscanf(content, `{"a":1,"id":%d,"b":%d}`, &body, &rest); err != nil || body >= 1000 {
			t.Fatalf("%q: %v", content, err)
		}
		_, number, _ := strings.Cut(head, "X-Request: ")
		_, size, _ := strings.Cut(head, "Content-Length: ")
		_, _ = fmt.Sscan(number, &n)
		if _, _ = fmt.Sscan(size, &length); length != len(content) || rest != n%2 ||
			!strings.Contains(head, fmt.Sprintf("X-Of: %d\r\n", i/50)) {
			t.Errorf("request %d of length %d is %q %q", n, length, head, content)
		}
		paths[fmt.Sprint(path)], numbers[fmt.Sprint(n)] = true, true
		if path != query {
			differ++
		}
	}
	if len(paths) < 30 || differ < 80 || len(numbers) != 100 || !numbers["0"] || !numbers["99"] {
		t.Errorf("%d paths, %d with another query, %d numbers", len(paths), differ, len(numbers))
	}
}

// A column of a feed goes before a place of its name, --set raw sends braces, and what nothing fills is refused.
func TestUnknownPlaces(t *testing.T) {
	feed := &wire.Feed{Names: []string{"n", "id"}, Rows: [][]string{{"column", "7"}}}
	if got := placed(t, "http://h/{n}/{id}", wire.Options{Feed: feed}, 1, 1)[0]; !strings.HasPrefix(got,
		"GET /column/7 ") {
		t.Error(got)
	}
	raw := wire.Options{Raw: true, Body: []byte("{viewer{login}} {rand:5}"), Headers: []string{"A: {x}"}}
	if got := placed(t, "http://h/{n}?{q}", raw, 1, 1)[0]; !strings.HasPrefix(got, "POST /%7Bn%7D?%7Bq%7D ") ||
		!strings.Contains(got, "A: {x}\r\n") || !strings.HasSuffix(got, string(raw.Body)) {
		t.Error(got)
	}
	for _, body := range []string{`{"a":1}`, `{ "a": {"b": [1]} }`, "{}", "{ user { id } }", `{"a":{"b":1}}`, "{1}",
		"{"} {
		if got := placed(t, "http://h/", wire.Options{Body: []byte(body)}, 1, 1)[0]; !strings.HasSuffix(got, body) {
			t.Errorf("%s is %q", body, got)
		}
	}
	for _, target := range []string{"http://h/", "grpc://h:1/a.B/C", "ws://h/"} {
		for text, want := range map[string]string{
			"{ids}": "did you mean {id}?", "{rand}": "", "{n:0}": "", "{n:x}": "", "{conn:3}": "", "{rand:}": "",
			`{"a":{user.id}}`: "--set raw",
		} {
			_, err := schemes.Parse(target, wire.Options{Feed: feed, Body: []byte(text)})
			if text == "{n:0}" || text == "{n:x}" || strings.HasPrefix(text, "{rand") ||
				strings.HasPrefix(text, "{conn") {
				want = "{rand:1000}"
			}
			if fail.KindOf(orFine(err)) != fail.BadInput || !strings.Contains(fail.HintOf(err), want) {
				t.Errorf("%s with %s: %v, hint %q", target, text, err, fail.HintOf(err))
			}
		}
	}
	for _, o := range []wire.Options{{Headers: []string{"A: {x}"}}, {HTTP2: true, Headers: []string{"A: {x}"}},
		{HTTP3: true, Headers: []string{"A: {x}"}}} {
		if _, err := schemes.Parse("https://h/", o); fail.KindOf(orFine(err)) != fail.BadInput {
			t.Errorf("a header: %v", err)
		}
	}
	if _, err := schemes.Parse("tcp://h:1",
		wire.Options{Body: []byte("\x00\x00\x00\x03{n}")}); fail.KindOf(orFine(err)) != fail.BadInput {
		t.Errorf("a frame: %v", err)
	}
}

// orFine is err, or an error of another kind instead of none.
func orFine(err error) error {
	if err == nil {
		return fail.New(fail.Internal, "fine")
	}
	return err
}

// What servers get: of every protocol each number once, and different random ones.
func TestPlacesReachServers(t *testing.T) {
	const n = 60
	var mutex sync.Mutex
	numbers, random := map[string]int{}, map[string]bool{}
	heard := func(number, drawn string) {
		mutex.Lock()
		defer mutex.Unlock()
		numbers[number]++
		random[drawn] = true
	}
	handler := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if number := r.URL.Query().Get("n"); string(body) == `{"id":`+number+"}" && r.Header.Get("X-N") != "" {
			heard(number, strings.TrimPrefix(r.URL.Path, "/"))
		}
	}
	check := func(what string, got uint64) {
		t.Helper()
		mutex.Lock()
		defer mutex.Unlock()
		twice := 0
		for _, times := range numbers {
			twice += times - 1
		}
		if got != n || len(numbers) != n || twice > 0 || len(random) < n/2 || numbers["0"] != 1 {
			t.Errorf("%s: %d answered, %d numbers, %d of them again, %d random ones", what, got, len(numbers), twice,
				len(random))
		}
		numbers, random = map[string]int{}, map[string]bool{}
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(handler))
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	defer server.Close()
	o := wire.Options{Headers: []string{"X-N: {conn}"}, Body: []byte(`{"id":{n}}`)}
	const path = "/{rand:100000}?n={n}"
	check("HTTP/1.1", fire(t, "event loop", server.URL+path, o, 4, n).Answered)
	check("HTTP/2", fire(t, "event loop", server.URL+path, wire.Options{HTTP2: true, Headers: o.Headers, Body: o.Body},
		4, n).Answered)
	third := serveHTTP3(t, newAuthority(t).issue(t, time.Now().Add(time.Hour), "127.0.0.1"), handler)
	check("HTTP/3", run(t, third.url+path, insecure3(o), load.Plan{Connections: 3, Depth: 3}, n).Answered)
	steps := wire.Options{Headers: o.Headers, Sequence: true,
		Requests: []wire.Request{{Method: "POST", Path: path, Body: o.Body}}}
	check("steps", fire(t, "event loop", server.URL, steps, 1, n).Answered)

	g := &greeter{before: func(ctx context.Context) error {
		md, _ := metadata.FromIncomingContext(ctx)
		heard(md.Get("x-n")[0], md.Get("x-r")[0])
		return nil
	}}
	calls := wire.Options{Headers: []string{"X-N: {n}", "X-R: {rand:100000}"}, Body: []byte(`{"responseSize": {n:7}}`)}
	check("gRPC", fire(t, "event loop", serveGRPC(t, g, v1)+"UnaryCall", calls, 4, n).Answered)
}
