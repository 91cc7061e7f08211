package schemes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// judged is what the checks say of an answer with that body.
func judged(t *testing.T, e wire.Expect, body string) load.Cause {
	t.Helper()
	in := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	got := answers(t, httpDialog(t, wire.Options{Expect: e}, 1), in, 11)
	if len(got) != 1 {
		t.Fatalf("%q: %+v", body, got)
	}
	return got[0].Cause
}

func TestHTTPChecksValuesInJSON(t *testing.T) {
	const body = `{"a": {"b=c": "x=y"}, "n": 1.0, "s": "1.0", "t": true, "z": null, "e": "\u00e9", "l": [{"k": "p"}, {"k": "q"}], "o": {"i": 1}}`
	for check, right := range map[string]bool{
		"n": true, "z": true, "missing": false, "l.2": false,
		"n=1.0": true, "n=1": false, "s=1.0": true, "t=true": true, "z=null": true, "z=": false,
		"e=\u00e9": true, "l.#=2": true, `l.#(k=="q").k=q`: true, `l.#(k=="q").k=p`: false, `l.#(k=="=")`: false,
		"o={\"i\": 1}": true, `a.b\=c=x=y`: true,
	} {
		want := load.OK
		if !right {
			want = load.WrongBody
		}
		if got := judged(t, wire.Expect{JSON: check}, body); got != want {
			t.Errorf("%s: %s, want %s", check, got, want)
		}
	}
	for _, text := range []string{"", `{"n": 1.0`, `{"n": 1.0} x`, "<html>n</html>"} {
		if got := judged(t, wire.Expect{JSON: "n"}, text); got != load.WrongBody {
			t.Errorf("%q is %s, though it is not JSON", text, got)
		}
	}
}

// A body that a check cannot hold is wrong, and the next one is judged afresh.
func TestHTTPJSONCheckIsBounded(t *testing.T) {
	large := `{"a": 1, "pad": "` + strings.Repeat("x", 8<<20) + `"}`
	d := httpDialog(t, wire.Options{Expect: wire.Expect{JSON: "a=1"}}, 2)
	var stream []byte
	for _, body := range []string{large, `{"a": 1}`} {
		stream = fmt.Appendf(stream, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	}
	got := answers(t, d, stream, 1<<20)
	if len(got) != 2 || got[0].Cause != load.WrongBody || got[1].Cause != load.OK {
		t.Errorf("got %+v, want a wrong body and a right one", got)
	}
}

func TestHTTPChecksDoNotAllocate(t *testing.T) {
	for _, e := range []wire.Expect{
		{Body: "ok"}, {JSON: "a.b=ok"}, {JSON: "a", Body: "o", Status: []string{"2xx"}},
	} {
		d := httpDialog(t, wire.Options{Expect: e}, 1)
		in := []byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n{\"a\": {\"b\": \r\n6\r\n\"ok\"}}\r\n0\r\n\r\n")
		if n := testing.AllocsPerRun(1000, func() {
			for rest := in; len(rest) > 0; {
				n, a := d.NextAnswer(rest, false)
				if a.Cause != load.OK {
					t.Fatalf("%+v: %+v", e, a)
				}
				rest = rest[n:]
			}
		}); n != 0 {
			t.Errorf("%+v: %v allocations per answer", e, n)
		}
	}
}

func TestHTTPSaysWhatIsWrongWithChecks(t *testing.T) {
	negative, zero := int64(-1), int64(0)
	gzip := []string{"accept-encoding: gzip, br"}
	for _, c := range []struct {
		options    wire.Options
		text, hint string
	}{
		{wire.Options{Expect: wire.Expect{Status: []string{"20x"}}}, `"20x"`, "200 or 2xx"},
		{wire.Options{Expect: wire.Expect{Status: []string{"200", "1xx"}}}, `"1xx"`, "below 200"},
		{wire.Options{Expect: wire.Expect{Status: []string{"100"}}}, `"100"`, "below 200"},
		{wire.Options{Expect: wire.Expect{Status: []string{"2000"}}}, `"2000"`, "200 or 2xx"},
		{wire.Options{Expect: wire.Expect{Status: []string{""}}}, `""`, "200 or 2xx"},
		{wire.Options{Expect: wire.Expect{Length: &negative}}, "-1 bytes", ""},
		{wire.Options{Method: "HEAD", Expect: wire.Expect{Length: &zero}}, "HEAD", "GET"},
		{wire.Options{Method: "HEAD", Expect: wire.Expect{Body: "x"}}, "HEAD", "GET"},
		{wire.Options{Headers: gzip, Expect: wire.Expect{Body: "x"}}, "Accept-Encoding", "leave"},
		{wire.Options{Headers: gzip, Expect: wire.Expect{JSON: "x"}}, "Accept-Encoding", "leave"},
		{wire.Options{Expect: wire.Expect{JSON: "=1"}}, `"=1"`, "items.0.id=7"},
		{wire.Options{Expect: wire.Expect{JSON: "a.#(b==1"}}, "a.#(b==1", "in pairs"},
		{wire.Options{Expect: wire.Expect{JSON: `a.#(b=="1)`}}, "a.#(b==", "in pairs"},
	} {
		_, err := schemes.Parse("http://h", c.options)
		wantInputError(t, fmt.Sprintf("%+v", c.options), err, c.text, c.hint)
	}
	length := int64(7)
	for _, o := range []wire.Options{
		{Headers: gzip, Expect: wire.Expect{Length: &length, Status: []string{" 599 ", "3XX"}}},
		{Headers: []string{"Accept-Encoding: identity"}, Expect: wire.Expect{Body: "x"}},
		{Method: "HEAD", Expect: wire.Expect{Status: []string{"204"}}},
	} {
		if _, err := schemes.Parse("http://h", o); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
