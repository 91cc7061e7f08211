package lab

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/protocol"
	"github.com/gohone/hone/internal/requests"
)

func TestVariedRequests(t *testing.T) {
	form := []string{"content-type: application/x-www-form-urlencoded"}
	for _, c := range []struct {
		target string
		o      protocol.Options
		want   string // the target
		body   string
		by     string
	}{
		{"http://127.0.0.1:80", protocol.Options{}, "http://127.0.0.1:80?_={n}", "", "another query"},
		{"https://127.0.0.1:80/a?b=1#top", protocol.Options{HTTP3: true}, "https://127.0.0.1:80/a?b=1&_={n}", "", "another query"},
		{"unix:/run/a.sock:/x", protocol.Options{HTTP2: true}, "unix:/run/a.sock:/x?_={n}", "", "another query"},
		{"http://127.0.0.1:80/", protocol.Options{Body: []byte(`{"a":1}`)}, "http://127.0.0.1:80/?_={n}", `{"a":1}{` + blanks + `}`, "another query and body"},
		{"http://127.0.0.1:80/", protocol.Options{Body: []byte("a=1"), Headers: form}, "http://127.0.0.1:80/?_={n}", "a=1&_={n}", "another query and form"},
		{"http://127.0.0.1:80/", protocol.Options{Body: []byte("\x00\x01")}, "http://127.0.0.1:80/?_={n}", "\x00\x01", "another query"},
		{"http://127.0.0.1:80/", protocol.Options{Raw: true}, "http://127.0.0.1:80/?_={n}", "", "another query"},
		{"http://127.0.0.1:80/", protocol.Options{Raw: true, Body: []byte("{user}")}, "http://127.0.0.1:80/", "{user}", ""},
		{"grpc://127.0.0.1:80/a.B/C", protocol.Options{}, "grpc://127.0.0.1:80/a.B/C", "", ""},
		{"tcp://127.0.0.1:80", protocol.Options{}, "tcp://127.0.0.1:80", "", ""},
	} {
		before := string(c.o.Body)
		target, o, by := varied(c.target, c.o)
		if target != c.want || string(o.Body) != c.body || by != c.by || string(c.o.Body) != before {
			t.Errorf("%s: %s, body %q, by %q", c.target, target, o.Body, by)
		}
		if _, err := protocol.Parse(target, asOthers(target, o)); by != "" && err != nil {
			t.Errorf("%s: %v", target, err)
		}
	}
}

// No two rows have the same white space, and JSON stays what it was.
func TestBlanks(t *testing.T) {
	f := withBlanks(&protocol.Feed{Names: []string{"token"}, Rows: [][]string{{"secret"}}})
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
	rows := func(n int) *protocol.Feed {
		return &protocol.Feed{Names: []string{"id"}, Rows: make([][]string, n)}
	}
	for _, c := range []struct {
		target string
		o      protocol.Options
		want   bool
	}{
		{"http://a/", protocol.Options{}, true},
		{"http://a/", protocol.Options{Mix: []protocol.Weighted{{URL: "/b"}}}, true},
		{"http://a/{id}", protocol.Options{Feed: rows(1)}, true},
		{"http://a/{id}", protocol.Options{Feed: rows(2)}, false},
		{"http://a/{n}", protocol.Options{}, false},
		{"http://a/", protocol.Options{Headers: []string{"X: {n:9}"}}, false},
		{"http://a/", protocol.Options{Body: []byte("{rand:10}")}, false},
		{"http://a/", protocol.Options{Mix: []protocol.Weighted{{URL: "/b/{n}"}}}, false},
		{"http://a/", protocol.Options{Body: []byte("{n}"), Raw: true}, true},
		{"http://a/", protocol.Options{Requests: make([]requests.Request, 1)}, false},
		{"http://a/", protocol.Options{Steps: make([]protocol.Step, 1)}, false},
	} {
		if got := oneRequest(c.target, c.o); got != c.want {
			t.Errorf("%s %+v: %v", c.target, c.o, got)
		}
	}
}

// Nothing of hone's is in the headers, and what the user named stays.
func TestHeadersOfOthers(t *testing.T) {
	for target, want := range map[string]string{
		"http://a/": "Mozilla", "unix:/s:/": "Mozilla", "wss://a/": "Mozilla", "grpcs://a/b.C/D": "grpc-go", "redis://a": "", "tcp://a": "",
	} {
		all := strings.Join(asOthers(target, protocol.Options{}).Headers, "\n")
		if !strings.Contains(all, want) || want == "" && all != "" {
			t.Errorf("%s: %q", target, all)
		}
	}
	own := protocol.Options{Headers: []string{"user-agent: mine", "ACCEPT: text/csv"}, Requests: []requests.Request{{Headers: []string{"Accept-Language: de"}}}}
	all := strings.Join(asOthers("http://a/", own).Headers, "\n")
	if strings.Contains(all, "Mozilla") || strings.Contains(all, "*/*") || strings.Contains(all, "en-US") || !strings.Contains(all, "mine") || len(own.Headers) != 2 {
		t.Errorf("%q", all)
	}
}
