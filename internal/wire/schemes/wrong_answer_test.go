package schemes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// The first wrong answer is told: its status, the front of what came in one line, and what is wrong where.
func TestTheFirstWrongAnswerIsTold(t *testing.T) {
	long := `{"items": [` + strings.Repeat(`"0123456789abcdef", `, 400) + `1]}`
	for _, c := range []struct {
		name         string
		expect       wire.Expect
		status, body string
		want         string
	}{
		{"html", wire.Expect{JSON: "id"}, "200 OK", "<html>\n<b>x",
			"status 200, a body of 11 bytes, <html> <b>x: it is not JSON from byte 1 (line 1, column 1): invalid character '<'"},
		{"cut off", wire.Expect{JSON: "id"}, "200 OK", `{"id": 1`,
			"a body of 8 bytes, {\"id\": 1: it is not JSON from its end, after 8 bytes: unexpected end of JSON input"},
		{"second line", wire.Expect{JSON: "id"}, "200 OK", "{\n \"é\": x}",
			`it is not JSON from byte 10 (line 2, column 7): invalid character 'x'`},
		{"two values", wire.Expect{JSON: "id"}, "200 OK", `{"id":1} {}`, "from byte 10 (line 1, column 10)"},
		{"empty", wire.Expect{JSON: "id"}, "200 OK", "",
			"status 200, an empty body: it is not JSON from its end, after 0 bytes"},
		{"absent", wire.Expect{JSON: "data.id"}, "200 OK", `{"data":{}}`,
			`status 200, a body of 11 bytes, {"data":{}}: it has nothing at data.id`},
		{"another value", wire.Expect{JSON: "id=7"}, "201 Created", `{"id":"8"}`,
			`status 201, a body of 10 bytes, {"id":"8"}: it has "8" at id, and 7 is right`},
		{"wrong status", wire.Expect{JSON: "id"}, "503 Busy", "busy\x1b[2J\x00\xff",
			`status 503, a body of 10 bytes, busy\u001b[2J\u0000\xff: it is not JSON from byte 1`},
		{"text", wire.Expect{Body: "ready"}, "200 OK", "starting",
			"status 200, a body of 8 bytes, starting: it does not hold the text ready"},
		{"long", wire.Expect{JSON: "id"}, "200 OK", long, ` ...: it has nothing at id`},
		{"a secret", wire.Expect{JSON: "id"}, "200 OK", `{"access_token":"q8Zk3vN1pL7sX2mB"}`,
			`{"access_token":"***"}: it has nothing at id`},
		{"status alone", wire.Expect{}, "500 Oops", "not leader\n",
			"first wrong answer: 500 Internal Server Error: not leader"},
		{"status of an empty body", wire.Expect{}, "404 No", "", "first wrong answer: 404 Not Found"},
		{"status of its own", wire.Expect{}, "599 Own", "a\nb\x1b[2J\x00", `599: a b\u001b[2J\u0000`},
		{"long body of a status", wire.Expect{}, "500 Oops", long,
			"500 Internal Server Error: {\"items\": [\"0123456789"},
		{"another status is expected", wire.Expect{Status: []string{"404"}}, "200 OK", "here", "200 OK: here"},
		{"right text", wire.Expect{Body: "lead"}, "500 Oops", "not leader", "500 Internal Server Error: not leader"},
	} {
		target, err := schemes.Parse("http://h", wire.Options{Expect: c.expect})
		if err != nil {
			t.Fatal(err)
		}
		d := target.Dialog(0)
		d.AppendRequest(nil, 0)
		d.AppendRequest(nil, 1)
		in := fmt.Sprintf("HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s", c.status, len(c.body), c.body)
		got := answers(t, d, []byte(in+"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond"), 7)
		if len(got) != 2 || got[0].Cause == load.OK {
			t.Errorf("%s: %+v", c.name, got)
		}
		notes := strings.Join(target.Notes(), "\n")
		if !strings.HasPrefix(notes, answer.FirstWrong) || !strings.Contains(notes, c.want) ||
			strings.Contains(notes, "second") {
			t.Errorf("%s: told %q, want %q", c.name, notes, c.want)
		}
		if len(notes) > 500 || strings.ContainsAny(notes, "\n\x1b") {
			t.Errorf("%s: not one bounded line: %q", c.name, notes)
		}
	}
}

// Right answers tell nothing.
func TestRightAnswersTellNothing(t *testing.T) {
	target, err := schemes.Parse("http://h", wire.Options{Expect: wire.Expect{JSON: "id=7", Body: "7"}})
	if err != nil {
		t.Fatal(err)
	}
	d := target.Dialog(0)
	d.AppendRequest(nil, 0)
	if got := answers(t, d, []byte("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{\"id\":7}"),
		7); got[0].Cause != load.OK || len(target.Notes()) > 0 {
		t.Errorf("%+v, %q", got, target.Notes())
	}
}

// A server of another protocol is named.
func TestOtherProtocolsAreNamed(t *testing.T) {
	for _, c := range []struct {
		http2    bool
		in, want string
	}{
		{true, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
			"speaks no HTTP/2 on this port, it sent HTTP/1.1: HTTP/1.1 400 Bad Request\n"},
		{true, "HTTP/1.0 505 No\r\n\r\n", "it sent HTTP/1.1: HTTP/1.0 505"},
		{true, "+PONG\r\nxxxxxxx", "it sent something else: +PONG"},
		{true, "", "sent nothing of HTTP/2"},
		{false, "\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x0a\x00\x00\x00\x04\n",
			"speaks no HTTP/1.1 on this port, it sent HTTP/2 (--http2"},
		{false, "\x15\x03\x01\x00\x02\x02\x0a\n", "it sent TLS (https://"},
		{false, "HTTP/1.1 abc\r\n", "what came is not HTTP/1.1: HTTP/1.1 abc"},
	} {
		target, err := schemes.Parse("http://h", wire.Options{HTTP2: c.http2})
		if err != nil {
			t.Fatal(err)
		}
		d := target.Dialog(0)
		d.AppendRequest(nil, 0)
		_, a := d.NextAnswer([]byte(c.in), c.in == "")
		if notes := strings.Join(target.Notes(), "\n"); !strings.Contains(notes+"\n", c.want) ||
			c.in != "" && a.Cause != load.Malformed {
			t.Errorf("%q: %+v, told %q, want %q", c.in, a, notes, c.want)
		}
	}
}

// Answers that values are taken of may hold a token: their texts are not told.
func TestTakenAnswersAreToldWithoutTheirTexts(t *testing.T) {
	for body, want := range map[string]string{
		`{"tok": "S3CRET", "n": 1, "l": ["S3CRET"]}`: `{"tok": "***", "n": 1, "l": ["***"]}: it has no value to take at token`,
		`{"tok": "S3CRET\" S3CRET`:                   `{"tok": "***": it is not JSON from its end`,
		`S3CRET`:                                     `a body of 6 bytes, ***: it is not JSON from byte 1`,
		`<h1>moved</h1>`:                             `<h1>moved</h1>: it is not JSON from byte 1`,
	} {
		target, err := schemes.Parse("http://h", wire.Options{Sequence: true, Requests: []wire.Request{{Path: "/login",
			Take: []wire.Take{{Name: "x", JSON: "token"}}}}})
		if err != nil {
			t.Fatal(err)
		}
		d := target.Dialog(0)
		d.AppendRequest(nil, 0)
		answers(t, d, fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body), 9)
		if notes := fmt.Sprint(target.Notes()); !strings.Contains(notes, want) || strings.Contains(notes, "S3CRET") {
			t.Errorf("%s: told %s, want %s", body, notes, want)
		}
	}
}
