package schemes_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// shop is a service that wants a login: each connection gets a token of its own.
type shop struct {
	mu     sync.Mutex
	tokens map[string]string // by remote address
	count  map[string]int
	made   atomic.Int64
	// fault spoils an answer by its number; nil: none.
	fault func(n int64, w http.ResponseWriter) bool
	n     atomic.Int64
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if s.fault != nil && s.fault(s.n.Add(1), w) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count[r.Method+" "+strings.TrimRight(r.URL.Path, "0123456789")]++
	token := "t/" + r.RemoteAddr
	switch {
	case r.URL.Path == "/login":
		s.tokens[r.RemoteAddr] = token
		w.Header().Add("Set-Cookie", "other=1")
		w.Header().Add("Set-Cookie", "session=s-"+r.RemoteAddr+"; Path=/; HttpOnly")
		fmt.Fprintf(w, `{"data": {"token": %q, "none": null}}`, token)
	case s.tokens[r.RemoteAddr] == "" || r.Header.Get("Authorization") != "Bearer "+token ||
		r.Header.Get("Cookie") != "session=s-"+r.RemoteAddr:
		w.WriteHeader(http.StatusUnauthorized)
	case r.Method == "POST" && string(body) == fmt.Sprintf(`{"by":%q}`, token):
		w.Header().Set("Location", fmt.Sprintf("http://h/items/%d", s.made.Add(1)))
		w.WriteHeader(http.StatusCreated)
	case r.Method == "GET" && r.URL.Path == fmt.Sprintf("/items/%d", s.made.Load()) || r.Method == "HEAD":
		fmt.Fprintf(w, "<p>page=%s</p>", r.URL.Query().Get("t"))
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

var shopSteps = []wire.Request{
	{Name: "log in", Method: "POST", Path: "/login", Once: true, Body: []byte(`{}`),
		Take: []wire.Take{{Name: "token", JSON: "data.token"}, {Name: "session", Cookie: "session"}}},
	{Name: "order", Method: "POST", Path: "/items", Body: []byte(`{"by":"{token}"}`),
		Expect: wire.Expect{Status: []string{"201"}},
		Take:   []wire.Take{{Name: "id", Header: "location", Regex: `/items/(\d+)$`}}},
	{Name: "head", Method: "HEAD", Path: "/items/{id}"},
	{Name: "read", Path: "/items/{id}?t={token}", Expect: wire.Expect{Body: "page=t/127.0.0.1"},
		Take: []wire.Take{{Name: "page", Regex: `page=([^<]+)<`}}},
}

// withoutLogin is shopSteps whose first step does not send what it is to take.
func withoutLogin(steps []wire.Request) []wire.Request {
	out := append([]wire.Request{}, steps...)
	for i := range out {
		if i > 0 {
			out[i].Headers = []string{"Authorization: Bearer {token}", "Cookie: session={session}"}
		}
	}
	return out
}

// loadShop sends n requests over one connection, so that ids are those of the connection.
func loadShop(t *testing.T, engine string, s *shop, steps []wire.Request, n uint64) load.Tally {
	t.Helper()
	s.tokens, s.count = map[string]string{}, map[string]int{}
	server := httptest.NewServer(s)
	defer server.Close()
	session := open(t, server.URL, wire.Options{Sequence: true, Requests: steps},
		load.Plan{Connections: 1, Depth: 4, Timeout: 20 * time.Second}, engines[engine])
	var all load.Tally
	if err := session.Run(context.Background(), load.Stretch{Schedule: load.Schedule{Requests: n},
		Drain: 20 * time.Second}, all.Add); err != nil {
		t.Error(err)
	}
	if _, err := session.Close(); err != nil {
		t.Error(err)
	}
	return all
}

// A sequence logs in once, and takes values of bodies, headers and cookies into the paths,
// headers and bodies of the steps after. A depth over 1 changes nothing.
func TestStepsTakeValuesOfAnswers(t *testing.T) {
	for engine := range engines {
		var s shop
		all := loadShop(t, engine, &s, withoutLogin(shopSteps), 301)
		if all.Answered != 301 {
			t.Errorf("%s: answered %d: %v, statuses %v", engine, all.Answered, all.Causes, s.count)
		}
		if got := fmt.Sprint(s.count); got != "map[GET /items/:100 HEAD /items/:100 POST /items:100 POST /login:1]" {
			t.Errorf("%s: asked %s", engine, got)
		}
	}
}

// After a wrong answer the sequence begins again, with the login.
func TestAWrongAnswerBeginsTheSequenceAgain(t *testing.T) {
	s := shop{fault: func(n int64, w http.ResponseWriter) bool {
		if n != 6 { // the 6th is the second HEAD ... GET of a round, whatever it is
			return false
		}
		w.WriteHeader(http.StatusInternalServerError)
		return true
	}}
	all := loadShop(t, "event loop", &s, withoutLogin(shopSteps), 100)
	if all.Answered != 99 || all.Causes[load.WrongStatus] != 1 || s.count["POST /login"] != 2 {
		t.Errorf("answered %d, %v, asked %v", all.Answered, all.Causes, s.count)
	}
}

// An answer without the value that its step takes is wrong, and the note says which.
func TestAMissingValueMakesAnAnswerWrong(t *testing.T) {
	missing := map[string]string{
		"json": "it has no value to take at data.other", "null": "no value to take at data.none",
		"header": "no header X-None", "cookie": "sets no cookie none",
		"regex": "nothing in it matches nothing(.)", "expression": "no header Content-Type with a value to take",
	}
	for name, take := range map[string]wire.Take{
		"json": {Name: "x", JSON: "data.other"}, "null": {Name: "x", JSON: "data.none"},
		"header": {Name: "x", Header: "X-None"},
		"cookie": {Name: "x", Cookie: "none"}, "regex": {Name: "x", Regex: "nothing(.)"},
		"expression": {Name: "x", Header: "Content-Type", Regex: "^(image/.*)"},
	} {
		s := shop{tokens: map[string]string{}, count: map[string]int{}}
		server := httptest.NewServer(&s)
		target, err := schemes.Parse(server.URL, wire.Options{Sequence: true, Requests: []wire.Request{{Path: "/login",
			Take: []wire.Take{take}}}})
		if err != nil {
			t.Fatal(err)
		}
		session, err := load.Open(context.Background(), load.Plan{Connections: 1, Depth: 1, Timeout: 20 * time.Second},
			target, target.Dialer(nil))
		if err != nil {
			t.Fatal(err)
		}
		var all load.Tally
		if err := session.Run(context.Background(),
			load.Stretch{Schedule: load.Schedule{Requests: 5}, Drain: 20 * time.Second}, all.Add); err != nil {
			t.Error(err)
		}
		if _, err := session.Close(); err != nil {
			t.Error(err)
		}
		server.Close()
		notes := strings.Join(target.Notes(), "\n")
		first, notes, _ := strings.Cut(notes, "\n")
		if !strings.HasPrefix(first, "step 1 (GET /login): first wrong answer: status 200, a body of ") ||
			!strings.Contains(first, missing[name]) {
			t.Errorf("%s: told %q, want %q", name, first, missing[name])
		}
		if all.Causes[load.WrongBody] != 5 ||
			notes != "step 1 (GET /login): {x} was missing in 5 answers, which are wrong; the sequence began again" {
			t.Errorf("%s: %v, notes %q", name, all.Causes, notes)
		}
	}
}

// A feed gives each round of the steps its next row; columns of a step that is sent once stay.
func TestStepsWithAFeed(t *testing.T) {
	var got asked
	server := httptest.NewServer(got.handler())
	defer server.Close()
	o := wire.Options{
		Feed:     &wire.Feed{Names: []string{"user", "id"}, Rows: [][]string{{"a", "1"}, {"b", "2"}, {"c", "3"}}},
		Sequence: true, Requests: []wire.Request{
			{Path: "/login/{user}", Once: true},
			{Path: "/{user}/{id}"},
			{Method: "PUT", Path: "/", Body: []byte("{id}")},
		},
	}
	all := fire(t, "event loop", server.URL, o, 1, 63)
	if all.Answered != 63 {
		t.Fatalf("%v", all.Causes)
	}
	n := got.count()
	for _, user := range []string{"a", "b", "c"} {
		rounds := 0
		for _, id := range []string{"1", "2", "3"} {
			rounds += n[fmt.Sprintf("GET /%s/%s  ", user, id)]
		}
		if n["GET /login/"+user+"  "] != 1 || rounds == 0 {
			t.Errorf("user %s: %v", user, n)
		}
	}
}

// A server that sends its answers in pieces, with an interim answer in front, is read as well.
func TestStepsReadHeadsInPieces(t *testing.T) {
	target, err := schemes.Parse("http://h", wire.Options{Sequence: true, Requests: []wire.Request{
		{Path: "/a", Take: []wire.Take{{Name: "x", Header: "X"}, {Name: "y", JSON: "y"}}},
		{Path: "/b/{x}/{y}"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	answer := "HTTP/1.1 103 Early Hints\r\nX: no\r\n\r\nHTTP/1.1 200 OK\r\nX: one\r\nContent-Length: 7\r\n\r\n{\"y\":2}"
	for cut := 0; cut <= len(answer); cut++ {
		d := target.Dialog(0)
		d.AppendRequest(nil, 0)
		var in []byte
		done := false
		for _, piece := range []string{answer[:cut], answer[cut:]} {
			for in = append(in, piece...); len(in) > 0; {
				n, a := d.NextAnswer(in, false)
				in = in[n:]
				if n > 0 && !a.Partial {
					done = a.Cause == load.OK
				}
				if n == 0 {
					break
				}
			}
		}
		line, _, _ := strings.Cut(string(d.AppendRequest(nil, 1)), "\r\n")
		if !done || line != "GET /b/one/2 HTTP/1.1" {
			t.Fatalf("cut at %d: %v, then %q", cut, done, line)
		}
	}
}

func TestStepsThatCannotBeSentAreRefused(t *testing.T) {
	take := func(t ...wire.Take) []wire.Request { return []wire.Request{{Path: "/", Take: t}} }
	for _, c := range []struct {
		o    wire.Options
		want string
	}{
		{wire.Options{Sequence: true, Requests: []wire.Request{{Path: "/", Once: true}}}, "all steps are once"},
		{wire.Options{Sequence: true, Requests: []wire.Request{{Path: "/"}, {Path: "/b", Once: true, Name: "b"}}},
			"step 2 (b) is once, and stands after one that repeats"},
		{wire.Options{Sequence: true, Requests: []wire.Request{{Path: "/{id}"}}},
			"step 1: {id} is neither taken by a step before"},
		{wire.Options{Sequence: true, Requests: []wire.Request{{Path: "/", Headers: []string{"A: {id}"}}}},
			"{id} is neither taken"},
		{wire.Options{Sequence: true, Requests: []wire.Request{{Path: "x"}}}, `step 1: path "x"`},
		{wire.Options{Sequence: true, Requests: take(wire.Take{Name: "a"})}, "want one place in the answer"},
		{wire.Options{Sequence: true, Requests: take(wire.Take{Name: "a b", JSON: "x"})}, "is not the name of a value"},
		{wire.Options{Sequence: true, Requests: take(wire.Take{Name: "a", Regex: "x"})}, "has 0 groups, want 1"},
		{wire.Options{Sequence: true, Requests: take(wire.Take{Name: "a", Regex: "("})}, "missing closing"},
		{wire.Options{Sequence: true, Requests: take(wire.Take{Name: "a", JSON: "x", Header: "y"})}, "want one place"},
		{wire.Options{Sequence: true,
			Requests: []wire.Request{{Method: "HEAD", Path: "/", Take: []wire.Take{{Name: "a", JSON: "x"}}}}},
			"answers to HEAD have no body"},
		{wire.Options{Sequence: true, Requests: take(wire.Take{Name: "a", JSON: "x"}),
			Headers: []string{"Accept-Encoding: gzip"}},
			"lets the server compress"},
		{wire.Options{Sequence: true, Requests: take(wire.Take{Name: "a", JSON: "x"}),
			Feed: &wire.Feed{Names: []string{"a"}, Rows: [][]string{{"1"}}}}, "a column of the feed has that name"},
		{wire.Options{Sequence: true, Requests: take(), HTTP2: true}, "steps go with HTTP/1.1 only"},
		{wire.Options{Sequence: true, Requests: take(), Method: "PUT"}, "steps say all requests themselves"},
		{wire.Options{Sequence: true, Requests: take(), Headers: []string{"Connection: close"}},
			"needs a connection that stays"},
		{wire.Options{Sequence: true, Requests: take(), Expect: wire.Expect{Body: "x"}}, "checks of their own"},
	} {
		_, err := schemes.Parse("http://h", c.o)
		wantInputError(t, c.want, err, c.want, "")
	}
	if _, err := schemes.Parse("http://h/x", wire.Options{Sequence: true, Requests: take()}); err == nil ||
		!strings.Contains(err.Error(), "steps have their own") {
		t.Errorf("a path beside steps: %v", err)
	}
}

func TestParseTake(t *testing.T) {
	for text, want := range map[string]string{
		"json data.token":                   "{a data.token    false}",
		"header X-Token":                    "{a  X-Token   false}",
		"cookie session":                    "{a   session  false}",
		"regex token=([a-z]+) x":            "{a    token=([a-z]+) x false}",
		"header Location ~ /items/([0-9]+)": "{a  Location  /items/([0-9]+) false}",
	} {
		got, err := wire.ParseTake("a", text)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "json", "xpath //a", "header A ~ ", "regex x", "header a b", "cookie a b"} {
		if got, err := wire.ParseTake("a", text); err == nil {
			t.Errorf("%q: read as %v", text, got)
		}
	}
}

// Whatever a server sends, the dialog goes on or ends the connection.
func FuzzSteps(f *testing.F) {
	f.Add("HTTP/1.1 200 OK\r\nX: 1\r\nSet-Cookie: c=d;\r\nContent-Length: 7\r\n\r\n{\"y\":2}", 9)
	f.Add("HTTP/1.1 100 \r\n\r\nHTTP/1.1 204 No\r\n\r\n", 3)
	f.Fuzz(func(t *testing.T, answer string, cut int) {
		target, err := schemes.Parse("http://h", wire.Options{Sequence: true, Requests: []wire.Request{
			{Path: "/a", Take: []wire.Take{{Name: "x", Header: "X"}, {Name: "y", JSON: "y"}, {Name: "z", Cookie: "c"}}},
			{Path: "/{x}", Headers: []string{"Y: {y}"}, Body: []byte("{z}")},
		}})
		if err != nil {
			t.Fatal(err)
		}
		d := target.Dialog(0)
		request := d.AppendRequest(nil, 0)
		cut = min(max(cut, 0), len(answer))
		in := append([]byte(nil), answer[:cut]...)
		for seq, round := uint64(1), 0; round < 2*len(answer)+4; round++ {
			n, a := d.NextAnswer(in, cut == len(answer))
			if n < 0 || n > len(in) {
				t.Fatalf("consumed %d of %d", n, len(in))
			}
			in = in[n:]
			switch {
			case a.Close:
				return
			case n > 0 && !a.Partial:
				request = d.AppendRequest(request[:0], seq)
				seq++
				if strings.Count(string(request), "\r\n\r\n") != 1 {
					t.Fatalf("a value breaks the request: %q", request)
				}
			case n == 0 && cut < len(answer):
				in, cut = append(in, answer[cut:]...), len(answer)
			case n == 0:
				return
			}
		}
	})
}

// BenchmarkSteps is a round of two steps, the first of which a value is taken of.
func BenchmarkSteps(b *testing.B) {
	target, err := schemes.Parse("http://h", wire.Options{Sequence: true, Requests: []wire.Request{
		{Path: "/a", Take: []wire.Take{{Name: "x", Header: "X"}, {Name: "y", JSON: "y"}}},
		{Path: "/b/{x}/{y}"},
	}})
	if err != nil {
		b.Fatal(err)
	}
	in := []byte("HTTP/1.1 200 OK\r\nX: one\r\nContent-Length: 9\r\n\r\n{\"y\":\"2\"}")
	d := target.Dialog(0)
	out := make([]byte, 0, 1<<10)
	b.ReportAllocs()
	for seq := uint64(0); b.Loop(); seq++ {
		out = d.AppendRequest(out[:0], seq)
		if n, a := d.NextAnswer(in, false); n != len(in) || a.Cause != load.OK {
			b.Fatal(n, a)
		}
	}
}

// A value of HTML is decoded, and encoded again where it goes into a form. So is a value of a feed.
func TestValuesOfHTMLGoIntoForms(t *testing.T) {
	const token = "ab+cd/ef==&<x>"
	var wrong atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/form":
			fmt.Fprint(w, `<input type="hidden" name="csrf" value="ab&#43;cd/ef&#x3D;=&amp;&lt;x&gt;"><b>`+token[:1]+
				`</b>`)
		case r.FormValue("csrf") != token || r.FormValue("name") != "Ann & Bob" || len(r.PostForm) != 2:
			wrong.Add(1)
		}
	}))
	defer server.Close()
	html, err := wire.ParseTake("csrf", `html name="csrf" value="([^"]*)"`)
	if err != nil {
		t.Fatal(err)
	}
	form := []string{"Content-Type: application/x-www-form-urlencoded; charset=utf-8"}
	feed := &wire.Feed{Names: []string{"name"}, Rows: [][]string{{"Ann & Bob"}}}
	for name, o := range map[string]wire.Options{
		"steps": {Feed: feed, Sequence: true, Requests: []wire.Request{{Path: "/form", Take: []wire.Take{html}},
			{Path: "/submit", Method: "POST", Headers: form, Body: []byte("csrf={csrf}&name={name}")}}},
		"one request": {Feed: feed, Method: "POST", Headers: form, Body: []byte("csrf=ab%2Bcd/ef==%26<x>&name={name}")},
	} {
		session := open(t, server.URL, o, load.Plan{Connections: 1, Depth: 1, Timeout: 20 * time.Second},
			engines["event loop"])
		var all load.Tally
		stretch := load.Stretch{Schedule: load.Schedule{Requests: 20}, Drain: 20 * time.Second}
		if err := session.Run(t.Context(), stretch, all.Add); err != nil {
			t.Error(err)
		}
		if _, err := session.Close(); err != nil {
			t.Error(err)
		}
		if n := wrong.Swap(0); all.Answered != 20 || n != 0 {
			t.Errorf("%s: answered %d: %v, %d wrong forms", name, all.Answered, all.Causes, n)
		}
	}
}
