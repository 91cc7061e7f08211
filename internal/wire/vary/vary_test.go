package vary

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
)

func TestVariedRequests(t *testing.T) {
	form := []string{"content-type: application/x-www-form-urlencoded"}
	const words, numbers, query = "other words", "other numbers", "another query"
	type want struct{ by, target, body string }
	for _, c := range []struct {
		target string
		o      wire.Options
		want   []want
	}{
		{"http://127.0.0.1:80", wire.Options{}, []want{{query, "http://127.0.0.1:80?_={n}", ""}}},
		{"https://127.0.0.1:80/a?b=1#top", wire.Options{HTTP3: true}, []want{
			{numbers, "https://127.0.0.1:80/a?b={rand:16384}", ""}, {query, "https://127.0.0.1:80/a?b=1&_={n}", ""}}},
		{"unix:/run/2/a.sock:/x/20000", wire.Options{HTTP2: true}, []want{
			{numbers, "unix:/run/2/a.sock:/x/{rand:20000}", ""}, {query, "unix:/run/2/a.sock:/x/20000?_={n}", ""}}},
		{"http://127.0.0.1:80/v2/7/?q=go&on=true&x=1.5&e=", wire.Options{}, []want{
			{"other numbers and words", "http://127.0.0.1:80/v2/{rand:16384}/?q=go{rand:16384}&on=true&x=1.5&e=", ""},
			{numbers, "http://127.0.0.1:80/v2/{rand:16384}/?q=go&on=true&x=1.5&e=", ""},
			{query, "http://127.0.0.1:80/v2/7/?q=go&on=true&x=1.5&e=&_={n}", ""}}},
		{"http://127.0.0.1:80/", wire.Options{Body: []byte(`{"a": 1, "5" : ["x", "", "\"{", -2, 2.5e7]}`)}, []want{
			{"other numbers and words", "http://127.0.0.1:80/",
				`{"a": {rand:16384}, "5" : ["x{rand:16384}", "", "\"{", -2, 2.5e7]}`},
			{numbers, "http://127.0.0.1:80/", `{"a": {rand:16384}, "5" : ["x", "", "\"{", -2, 2.5e7]}`},
			{"another query and body", "http://127.0.0.1:80/?_={n}",
				`{"a": 1, "5" : ["x", "", "\"{", -2, 2.5e7]}{` + blanks + `}`}}},
		{"http://127.0.0.1:80/", wire.Options{Body: []byte("a=b"), Headers: form}, []want{
			{words, "http://127.0.0.1:80/", "a=b{rand:16384}"},
			{"another query and form", "http://127.0.0.1:80/?_={n}", "a=b&_={n}"}}},
		{"http://127.0.0.1:80/", wire.Options{Body: []byte("\xff\x01 1")},
			[]want{{query, "http://127.0.0.1:80/?_={n}", "\xff\x01 1"}}},
		{"http://127.0.0.1:80/", wire.Options{Raw: true}, []want{{query, "http://127.0.0.1:80/?_={n}", ""}}},
		{"http://127.0.0.1:80/1", wire.Options{Raw: true, Body: []byte("{user}")}, nil},
		{"http://127.0.0.1:80/1", wire.Options{Requests: []wire.Request{{Path: "/"}}}, nil},
		{"ws://127.0.0.1:80/1", wire.Options{Body: []byte("at 5, 6x")},
			[]want{{numbers, "ws://127.0.0.1:80/{rand:16384}", "at {rand:16384}, 6x"}}},
		{"redis://127.0.0.1:80", wire.Options{Body: []byte("GET user:5")},
			[]want{{numbers, "redis://127.0.0.1:80", "GET user:{rand:16384}"}}},
		{"grpc://127.0.0.1:80/a.B/C", wire.Options{Body: []byte(`{"id":9}`)},
			[]want{{numbers, "grpc://127.0.0.1:80/a.B/C", `{"id":{rand:16384}}`}}},
		{"tcp://127.0.0.1:80", wire.Options{}, nil},
	} {
		before := string(c.o.Body)
		all, _ := All(c.target, c.o)
		var got []want
		for _, v := range all {
			got = append(got, want{v.By, v.Target, string(v.Options.Body)})
			if _, err := schemes.Parse(v.Target, LikeOthers(v.Target, v.Options)); err != nil &&
				!strings.HasPrefix(v.Target, "ws") {
				t.Errorf("%s: %v", v.Target, err)
			}
		}
		if c.want = append([]want(nil), c.want...); c.o.Body != nil {
			for i := range c.want {
				c.want[i].body = cmp.Or(c.want[i].body, before)
			}
		}
		if !slices.Equal(got, c.want) || string(c.o.Body) != before {
			t.Errorf("%s %q:\n%+v, want\n%+v", c.target, before, got, c.want)
		}
	}
}

// No two rows have the same white space, and JSON stays what it was.
func TestBlanks(t *testing.T) {
	f := withBlanks(&wire.Feed{Names: []string{"token"}, Rows: [][]string{{"secret"}}})
	seen := map[string]bool{}
	for _, row := range f.Rows {
		seen[row[1]] = true
		if row[0] != "secret" || len(bytes.TrimSpace([]byte(row[1]))) > 0 {
			t.Fatalf("row %q", row)
		}
	}
	if len(seen) != 1<<blankBits || !slices.Equal(f.Names, []string{"token", blanks}) {
		t.Errorf("%d of %d rows differ, names %q", len(seen), len(f.Rows), f.Names)
	}
}

func TestOneRequest(t *testing.T) {
	rows := func(n int) *wire.Feed {
		return &wire.Feed{Names: []string{"id"}, Rows: make([][]string, n)}
	}
	for _, c := range []struct {
		target string
		o      wire.Options
		want   bool
	}{
		{"http://a/", wire.Options{}, true},
		{"tcp://a", wire.Options{Body: []byte("x")}, true},
		{"framed://a", wire.Options{}, false},
		{"http://a/", wire.Options{Requests: []wire.Request{{}, {Path: "/b"}}}, true},
		{"http://a/{id}", wire.Options{Feed: rows(1)}, true},
		{"http://a/{id}", wire.Options{Feed: rows(2)}, false},
		{"http://a/{n}", wire.Options{}, false},
		{"http://a/", wire.Options{Headers: []string{"X: {n:9}"}}, false},
		{"http://a/", wire.Options{Body: []byte("{rand:10}")}, false},
		{"http://a/", wire.Options{Requests: []wire.Request{{}, {Path: "/b/{n}"}}}, false},
		{"http://a/", wire.Options{Body: []byte("{n}"), Raw: true}, true},
		{"http://a/", wire.Options{Requests: []wire.Request{{Path: "/"}}}, false},
		{"http://a/", wire.Options{Sequence: true, Requests: []wire.Request{{Path: "/"}}}, false},
	} {
		if got := OneRequest(c.target, c.o); got != c.want {
			t.Errorf("%s %+v: %v", c.target, c.o, got)
		}
	}
}

// Nothing of hone's is in the headers, and what the user named stays.
func TestHeadersOfOthers(t *testing.T) {
	for target, want := range map[string]string{
		"http://a/": "Mozilla", "unix:/s:/": "Mozilla", "wss://a/": "Mozilla", "grpcs://a/b.C/D": "grpc-go",
		"redis://a": "", "tcp://a": "",
	} {
		all := strings.Join(LikeOthers(target, wire.Options{}).Headers, "\n")
		if !strings.Contains(all, want) || want == "" && all != "" {
			t.Errorf("%s: %q", target, all)
		}
	}
	own := wire.Options{Headers: []string{"user-agent: mine", "ACCEPT: text/csv"},
		Requests: []wire.Request{{Headers: []string{"Accept-Language: de"}}}}
	all := strings.Join(LikeOthers("http://a/", own).Headers, "\n")
	if strings.Contains(all, "Mozilla") || strings.Contains(all, "*/*") || strings.Contains(all, "en-US") ||
		!strings.Contains(all, "mine") || len(own.Headers) != 2 {
		t.Errorf("%q", all)
	}
}
