package schemes_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// requestOf builds the next request of d and has net/http read it.
func requestOf(t testing.TB, d load.Dialog, seq uint64) (*http.Request, string) {
	t.Helper()
	text := d.AppendRequest(nil, seq)
	in := bufio.NewReader(bytes.NewReader(text))
	r, err := http.ReadRequest(in)
	if err != nil {
		t.Fatalf("request %q: %v", text, err)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil || in.Buffered() > 0 {
		t.Fatalf("request %q: body %q, %v, %d bytes after it", text, body, err, in.Buffered())
	}
	return r, string(body)
}

func parse(t testing.TB, url string, o wire.Options) schemes.Target {
	t.Helper()
	target, err := schemes.Parse(url, o)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func table(names string, rows ...string) *wire.Feed {
	f := &wire.Feed{Names: strings.Split(names, ",")}
	for _, row := range rows {
		f.Rows = append(f.Rows, strings.Split(row, ","))
	}
	return f
}

func TestHTTPURLGoesOutAsTheUserWroteIt(t *testing.T) {
	feed := table("id,user name", "a b/c?d&e=%41{é},x")
	for url, want := range map[string]string{
		"http://h":                          "/",
		"http://h?":                         "/?",
		"http://h?a=b":                      "/?a=b",
		"http://h/a%2Fb%20c/../d":           "/a%2Fb%20c/../d",
		"http://h/a b\"<>|é":                "/a%20b%22%3C%3E%7C%C3%A9",
		"http://h/;a=1,2:3@4!$&'()*+[5]":    "/;a=1,2:3@4!$&'()*+[5]",
		`http://h/?q={"a":[1]}&r=b c#frag`:  "/?q=%7B%22a%22:[1]%7D&r=b%20c",
		"http://h/x?{}":                     "/x?%7B%7D",
		"http://h/%7Bid%7D/{id}":            "/%7Bid%7D/a%20b%2Fc%3Fd%26e%3D%2541%7B%C3%A9%7D",
		"http://h/{user name}?n={id}&m=%41": "/x?n=a%20b%2Fc%3Fd%26e%3D%2541%7B%C3%A9%7D&m=%41",
	} {
		r, _ := requestOf(t, parse(t, url, wire.Options{Feed: feed}).Dialog(0), 0)
		if r.RequestURI != want {
			t.Errorf("%s: got %s, want %s", url, r.RequestURI, want)
		}
	}
}

func TestHTTPFeedFillsHeadersAndBodies(t *testing.T) {
	feed := table("id,token,text", "1,abc,hello", "22,,wörld")
	d := parse(t, "http://h/{id}", wire.Options{
		Headers: []string{"Authorization: Bearer {token}", "Host: {id}.test", "X-Plain: {not one} {"},
		Body:    []byte(`{"id": {id}, "text": "{text}", "{{id}}": {}}`),
		Feed:    feed,
	}).Dialog(0)
	for i, want := range []string{
		`/1 1.test Bearer abc {not one} { {"id": 1, "text": "hello", "{1}": {}}`,
		`/22 22.test Bearer {not one} { {"id": 22, "text": "wörld", "{22}": {}}`,
		`/1 1.test Bearer abc {not one} { {"id": 1, "text": "hello", "{1}": {}}`,
	} {
		r, body := requestOf(t, d, uint64(i))
		got := fmt.Sprint(r.RequestURI, " ", r.Host, " ", r.Header.Get("Authorization"), " ", r.Header.Get("X-Plain"),
			" ", body)
		if got != want {
			t.Errorf("request %d: got %s, want %s", i, got, want)
		}
	}
}

// paths returns the paths of the next n requests of a connection.
func paths(t testing.TB, d load.Dialog, n int) (all []string) {
	t.Helper()
	for seq := range n {
		r, _ := requestOf(t, d, uint64(seq))
		all = append(all, r.URL.Path)
	}
	return all
}

// Over any whole number of rounds each target has its share, and no target waits long.
func TestHTTPMixSpreadsTurnsByWeight(t *testing.T) {
	target := parse(t, "http://h/a", wire.Options{Requests: []wire.Request{
		{Weight: 5}, {Path: "/b", Weight: 1}, {Path: "http://H:80/c", Weight: 1},
	}})
	if got := strings.Join(paths(t, target.Dialog(0), 7), " "); got != "/a /a /b /a /c /a /a" {
		t.Errorf("a round is %s", got)
	}
	first := map[string]int{}
	for conn := range 7 {
		count := map[string]int{}
		turns := paths(t, target.Dialog(conn+100), 70)
		for _, p := range turns {
			count[p]++
		}
		if count["/a"] != 50 || count["/b"] != 10 || count["/c"] != 10 {
			t.Errorf("connection %d: %v", conn, count)
		}
		first[turns[0]]++
	}
	if first["/a"] != 5 || first["/b"] != 1 || first["/c"] != 1 {
		t.Errorf("7 connections begin with %v, want each with another turn of the round", first)
	}
}

// Two targets in turn and an even number of rows: each target still gets every row, in
// order.
func TestHTTPMixWalksTheFeedForEachTarget(t *testing.T) {
	feed := table("n", "0", "1", "2", "3")
	target := parse(t, "http://h/a{n}", wire.Options{Feed: feed,
		Requests: []wire.Request{{}, {Path: "/b{n}", Weight: 1}}})
	for conn := range 4 {
		rows := map[byte]string{}
		for _, p := range paths(t, target.Dialog(conn), 16) {
			rows[p[1]] += p[2:]
		}
		for target, got := range rows {
			if len(got) != 8 || !strings.Contains("012301230123", got) {
				t.Errorf("connection %d: target %c walks %s", conn, target, got)
			}
		}
	}
}

func TestHTTPConnectionsBeginAtRowsOfTheirOwn(t *testing.T) {
	for _, rows := range []int{1, 2, 3, 4, 6, 10, 100, 1009} {
		feed := &wire.Feed{Names: []string{"n"}}
		for i := range rows {
			feed.Rows = append(feed.Rows, []string{fmt.Sprint(i)})
		}
		target := parse(t, "http://h/{n}", wire.Options{Feed: feed})
		begins := map[string]bool{}
		for conn := range rows {
			begins[paths(t, target.Dialog(conn), 1)[0]] = true
		}
		if len(begins) != rows {
			t.Errorf("%d connections begin at %d of %d rows", rows, len(begins), rows)
		}
	}
}

func TestHTTPSaysWhatIsWrongWithRequests(t *testing.T) {
	feed := table("id,name", "1,x", "2,a\tb", "3,c\nd")
	one := []wire.Request{{}, {Path: "/b", Weight: 1}}
	mix := func(url string, weight int) []wire.Request {
		return []wire.Request{{}, {Path: url, Weight: weight}}
	}
	for _, c := range []struct {
		url        string
		options    wire.Options
		text, hint string
	}{
		{"http://h/{id}", wire.Options{}, "{id} in", "give a feed with a column id"},
		{"http://h/{ids}", wire.Options{Feed: feed}, "{ids} in", "did you mean {id}?"},
		{"http://h/?a={else}", wire.Options{Feed: feed}, "{else} in", "columns are id, name; write %7Belse%7D"},
		{"http://h/", wire.Options{Feed: feed, Requests: mix("/{nme}", 1)}, "{nme} in", "did you mean {name}?"},
		{"http://h/", wire.Options{Feed: feed, Headers: []string{"X: {name}"}},
			`row 3 of the feed: column "name" holds a control`, "body"},
		{"http://h/", wire.Options{Feed: table("a,b")}, "no rows", "at least one"},
		{"http://h/", wire.Options{Feed: table("a,b", "1,2", "1")}, "row 2 of the feed has 1 values, want 2", "a, b"},
		{"http://h/", wire.Options{Feed: table("a,a", "1,2")}, `named "a"`, "rename"},
		{"http://h/", wire.Options{Feed: table("port", "1")}, `named "port"`, "rename"},
		{"http://h/", wire.Options{Feed: table("a,", "1,2")}, `named ""`, "row of column names"},
		{"http://h/", wire.Options{Feed: &wire.Feed{Rows: [][]string{{}}}}, "no columns", "column names"},
		{"http://h/", wire.Options{Requests: mix("http://other/", 1)}, "not on http://h:80", "path alone"},
		{"http://h/", wire.Options{Requests: mix("http://h:81/", 1)}, "not on http://h:80", "path alone"},
		{"http://h/", wire.Options{Requests: mix("https://h:80/", 1)}, "not on http://h:80", "path alone"},
		{"http://h/", wire.Options{Requests: mix("//h/", 1)}, "not on http://h:80", "path alone"},
		{"http://h/", wire.Options{Requests: mix("items", 1)}, "not on http://h:80", "path alone"},
		{"http://h/", wire.Options{Requests: mix("http://u@h/", 1)}, "not on http://h:80", "path alone"},
		{"http://h/", wire.Options{Requests: mix("/%zz", 1)}, `parse target "/%zz"`, "path alone"},
		{"http://h/", wire.Options{Requests: mix("/b", -1)}, "request 2 has the weight -1", ""},
		{"http://h/", wire.Options{Requests: []wire.Request{{Weight: -1}}}, "request 1 has the weight -1", ""},
		{"http://h/", wire.Options{Requests: mix("/b", 10_000)}, "add up to more than 10000", "round them"},
		{"http://h/", wire.Options{Requests: make([]wire.Request, 10_001)}, "10001 targets", "feed"},
		{"http://h/", wire.Options{Headers: []string{"X: {a}"}, Requests: one, Method: "A B"}, "not a token", ""},
	} {
		_, err := schemes.Parse(c.url, c.options)
		wantInputError(t, fmt.Sprintf("%s %+v", c.url, c.options), err, c.text, c.hint)
	}
}

func TestHTTPMixTakesThePortTemplate(t *testing.T) {
	target := parse(t, "http://h:{port}/a", wire.Options{Requests: []wire.Request{
		{}, {Path: "http://h:{port}/b?p={port}", Weight: 1}, {Path: "/c", Weight: 1},
	}})
	if target.Address != "h:{port}" {
		t.Errorf("address is %s", target.Address)
	}
}

// Once warm, no request costs an allocation, whatever it is made of.
func TestHTTPRequestsDoNotAllocate(t *testing.T) {
	d := parse(t, "http://h/{id}?q={name}", wire.Options{
		Headers: []string{"X: {id}"}, Body: []byte("id={id}"), Feed: table("id,name", "1,a b", "2,c"),
		Requests: []wire.Request{{}, {Path: "/plain", Weight: 2}},
	}).Dialog(1)
	seq, buf := uint64(0), make([]byte, 0, 1<<10)
	if n := testing.AllocsPerRun(1000, func() {
		buf = d.AppendRequest(buf[:0], seq)
		seq++
	}); n != 0 {
		t.Errorf("%v allocations per request", n)
	}
}

// Whatever the template and the values are, net/http reads one request with the values
// in it.
func FuzzHTTPTemplate(f *testing.F) {
	f.Add("/{a}", "x={b}", "{a}{b}", `{"a": "{a}"}`, "1", "two words")
	f.Add("/%7Ba%7D/{{a}}", "{b}&{b", "}{a}", "{{{{a}}}}", "/../", "%0d%0a")
	f.Add("/", "", "", "{b", "\r\n\r\nGET / HTTP/1.1\r\n", "{a}")
	f.Fuzz(func(t *testing.T, path, query, header, body, a, b string) {
		row := map[string]string{"{a}": a, "{b}": b}
		feed := &wire.Feed{Names: []string{"a", "b"}, Rows: [][]string{{a, b}}}
		o := wire.Options{Headers: []string{"X: " + header}, Body: []byte(body), Method: "POST", Feed: feed}
		target, err := schemes.Parse("http://h/"+path+"?"+query, o)
		if err != nil {
			return
		}
		r, got := requestOf(t, target.Dialog(0), 0)
		fill := strings.NewReplacer("{a}", row["{a}"], "{b}", row["{b}"])
		if want := fill.Replace(body); got != want {
			t.Errorf("body %q became %q, want %q", body, got, want)
		}
		if want := strings.Trim(fill.Replace(strings.Trim(header, " \t")), " \t"); r.Header.Get("X") != want {
			t.Errorf("header %q became %q, want %q", header, r.Header.Get("X"), want)
		}
	})
}
