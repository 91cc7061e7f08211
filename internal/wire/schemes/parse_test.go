package schemes_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/internal/wire/tcp"
)

func TestParseTakesTargetsAsUsersWriteThem(t *testing.T) {
	for target, want := range map[string]string{
		"framed://127.0.0.1:8888":        "framed 127.0.0.1:8888",
		"framed://localhost:{port}":      "framed localhost:{port}",
		"framed://[::1]:{port}/":         "framed [::1]:{port}",
		"http://localhost":               "http localhost:80",
		"HTTP://localhost:8080/a?b=c":    "http localhost:8080",
		"http://[::1]:8080":              "http [::1]:8080",
		"http://localhost:{port}/{port}": "http localhost:{port}",
	} {
		got, err := schemes.Parse(target, wire.Options{})
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		if s := got.Scheme + " " + got.Address; s != want || got.Network != "tcp" {
			t.Errorf("%s: got %s %q, want %q", target, got.Network, s, want)
		}
	}
	for target, want := range map[string]string{
		"unix:/run/app.sock":                "unix /run/app.sock GET / HTTP/1.1",
		"unix:/run/app.sock:/items?x=1":     "unix /run/app.sock GET /items?x=1 HTTP/1.1",
		"unix:///run/app.sock:/items":       "unix /run/app.sock GET /items HTTP/1.1",
		"unix:app.sock":                     "unix app.sock GET / HTTP/1.1",
		"UNIX:@name":                        "unix @name GET / HTTP/1.1",
		"http+unix:/a:b/c.sock:/d:/e":       "http /a:b/c.sock GET /d:/e HTTP/1.1",
		"framed+unix:" + "/run/framed.sock": "framed /run/framed.sock",
	} {
		got, err := schemes.Parse(target, wire.Options{})
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		text := got.Scheme + " " + got.Address
		if got.Scheme != "framed" {
			line, rest, _ := strings.Cut(string(got.Dialog(0).AppendRequest(nil, 0)), "\r\n")
			if !strings.HasPrefix(rest, "Host: localhost\r\n") {
				t.Errorf("%s: got head %q, want Host: localhost in it", target, rest)
			}
			text += " " + line
		}
		if text != want || got.Network != "unix" {
			t.Errorf("%s: got %s %q, want %q", target, got.Network, text, want)
		}
	}
}

func TestParseSaysWhatIsWrongWithATarget(t *testing.T) {
	for _, c := range []struct{ target, text, hint string }{
		{"localhost:80", "names no protocol", "did you mean http://localhost:80?"},
		{":8080/items", "names no protocol", "did you mean http://127.0.0.1:8080/items?"},
		{"localhost", "names no protocol", "write it like http://localhost:8080/;"},
		{"8080/items", "names no protocol", "write it like http://127.0.0.1:8080/items;"},
		{"./server", "names no protocol", "http://127.0.0.1:8080/path or unix:/run/app.sock:/path"},
		{"famed://localhost:1", `unknown protocol "famed"`, `did you mean "framed"`},
		{"htp://localhost:1", `unknown protocol "htp"`, `did you mean "http"`},
		{"htps://localhost:1", `unknown protocol "htps"`, `did you mean "https"`},
		{"famed+unix:/s", `unknown protocol "famed"`, `did you mean "framed"`},
		{"unix+unix:/s", "names no protocol", "unix:/run"},
		{"unix:", "names no socket", "unix:/run/app.sock"},
		{"unix://host/path", "names no socket", "unix:/run/app.sock"},
		{"unix:/s:/%zz", "invalid URL escape", "unix:/run/app.sock"},
		{"unix:/" + strings.Repeat("x", 107), "has 108 bytes", "symbolic link"},
		{"framed+unix:", "names no socket", "framed+unix:/run/app.sock"},
		{"framed+unix:/s:/x", "no path or query", "framed"},
		{"gopher://localhost:1", `unknown protocol "gopher"`,
			"known are http, https, unix, grpc, grpcs, ws, wss, redis, rediss, framed, tcp"},
		{"framed://localhost", `port ""`, "framed://"},
		{"http://localhost:0", `port "0"`, "http://"},
		{"http://localhost:99999", `port "99999"`, "http://"},
		{"http://:80", "names no host", "http://"},
		{"http://{port}:80", "parse target", "http://"},
		{"http://u:p@localhost", "user name or password", "Authorization"},
		{"http://local host", "parse target", "http://"},
		{"framed://localhost:1/x", "no path or query", "framed://"},
	} {
		_, err := schemes.Parse(c.target, wire.Options{})
		wantInputError(t, c.target, err, c.text, c.hint)
	}
}

func TestParseRefusesOptionsThatDoNotFit(t *testing.T) {
	for _, c := range []struct {
		target  string
		options wire.Options
		text    string
	}{
		{"framed://localhost:1", wire.Options{Method: "GET"}, "a method does not belong to framed"},
		{"framed://localhost:1", wire.Options{Body: []byte{1}, Requests: make([]wire.Request, 2)},
			"a body does not belong to framed\na mix of targets does"},
		{"framed://localhost:1", wire.Options{HTTP2: true}, "HTTP/2 does not belong to framed"},
		{"framed+unix:/s", wire.Options{Feed: &wire.Feed{}}, "a feed does not belong to framed"},
		{"http://localhost", wire.Options{TLS: wire.TLS{Insecure: true}}, "a TLS option does not belong to http"},
		{"unix:/s", wire.Options{Frame: wire.Frame{Width: 2}}, "a description of frames does not belong to unix"},
		{"https://localhost", wire.Options{PayloadBytes: 1}, "does not belong to https"},
		{"https://localhost", wire.Options{TLS: wire.TLS{CAs: "/nonexistent"}}, "read certificates"},
		{"http://localhost", wire.Options{HTTP2: true, Headers: []string{"Connection: close"}},
			"does not exist in HTTP/2"},
		{"http://localhost", wire.Options{HTTP2: true, Headers: []string{"TE: gzip"}},
			`header te is "gzip", and HTTP/2 allows only "trailers"`},
		{"http://localhost", wire.Options{HTTP2: true, Feed: &wire.Feed{Names: []string{"a"}}}, "the feed has no rows"},
		{"ws://localhost", wire.Options{Method: "GET"}, "a method does not belong to ws"},
		{"ws://localhost", wire.Options{Expect: wire.Expect{Status: []string{"200"}}},
			"messages of WebSocket have no status"},
		{"ws://localhost", wire.Options{WebSocket: wire.WebSocket{ID: "id"}}, "the message has no {n}"},
		{"ws://localhost", wire.Options{WebSocket: wire.WebSocket{Subprotocol: "a b"}}, "is not a token"},
		{"ws://localhost", wire.Options{Headers: []string{"Sec-WebSocket-Key: x"}}, "is hone's own in an upgrade"},
		{"ws://localhost/{a}", wire.Options{Feed: &wire.Feed{Names: []string{"a"}, Rows: [][]string{{"b"}}}},
			"the upgrade of a connection has no row of the feed"},
		{"http://localhost", wire.Options{WebSocket: wire.WebSocket{Binary: true}},
			"an option of WebSocket does not belong to http"},
		{"grpc://localhost:1/a.B/C", wire.Options{Method: "GET"}, "a method does not belong to grpc"},
		{"http://localhost", wire.Options{GRPC: wire.GRPC{ProtoSet: "x"}},
			"an option of gRPC does not belong to http"},
		{"grpc://localhost:1/a.B", wire.Options{}, `"/a.B" is not a method of gRPC`},
		{"grpc://localhost:1/a.B/C?d", wire.Options{}, `"/a.B/C?d" is not a method of gRPC`},
		{"grpc://localhost/a.B/C", wire.Options{}, "is not between 1 and 65535"},
		{"grpc://localhost:1/a.B/C", wire.Options{Expect: wire.Expect{Status: []string{"NOT_FUND"}}},
			`expected status "NOT_FUND" is not a code of gRPC`},
		{"grpc://localhost:1/a.B/C", wire.Options{Expect: wire.Expect{Status: []string{"17"}}},
			`expected status "17" is not a code of gRPC`},
		{"grpc://localhost:1/a.B/C", wire.Options{GRPC: wire.GRPC{ProtoPaths: []string{"x"}}},
			"--set grpc.proto-path is given without --set grpc.proto"},
		{"grpc://localhost:1/a.B/C", wire.Options{GRPC: wire.GRPC{ProtoSet: "/nonexistent"}},
			"read descriptors /nonexistent"},
		{"grpc://localhost:1/a.B/C", wire.Options{GRPC: wire.GRPC{Protos: []string{"/nonexistent"}}},
			"read .proto file"},
		{"framed://localhost:1", wire.Options{PayloadBytes: -1}, "want 1 to"},
		{"http://localhost", wire.Options{PayloadBytes: 1}, "does not belong to http"},
		{"http://localhost", wire.Options{Method: "GET /\r\n"}, "not a token"},
		{"http://localhost", wire.Options{Method: "CONNECT"}, "tunnel"},
		{"http://localhost", wire.Options{Headers: []string{"Accept"}}, "Name: value"},
		{"http://localhost", wire.Options{Headers: []string{"A: b\r\nC: d"}}, "control character"},
		{"http://localhost", wire.Options{Headers: []string{"content-length: 3"}}, "framed"},
	} {
		_, err := schemes.Parse(c.target, c.options)
		wantInputError(t, c.target, err, c.text, "")
	}
}

func wantInputError(t *testing.T, target string, err error, text, hint string) {
	t.Helper()
	var f *fail.Error
	if !errors.As(err, &f) || f.Kind != fail.BadInput {
		t.Errorf("%s: got %v, want a bad-input error", target, err)
		return
	}
	if !strings.Contains(err.Error(), text) || !strings.Contains(f.Hint, hint) {
		t.Errorf("%s: got %q with hint %q, want %q with hint %q", target, err, f.Hint, text, hint)
	}
}

func TestEveryExampleParses(t *testing.T) {
	for _, s := range schemes.All {
		var o wire.Options
		if s == tcp.TCP {
			o.Body = []byte("\x00\x00\x00\x00ping") // it has no request of its own
		}
		got, err := schemes.Parse(s.Example, o)
		if err != nil || got.Scheme != s.Name {
			t.Errorf("%s: got %q, %v", s.Example, got.Scheme, err)
		}
		if s.Doc == "" {
			t.Errorf("%s has no doc line", s.Name)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"framed://h:1", "http://[::1]:{port}/x?y#z", "http://%41", "://", "http://{port}",
		"unix:/s:/x?y", "framed+unix:///s", "https://h", "unix:a:/\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, target string) {
		got, err := schemes.Parse(target, wire.Options{})
		if err != nil {
			return
		}
		request := got.Dialog(0).AppendRequest(nil, 0)
		if strings.HasPrefix(got.Scheme, "http") && strings.Count(string(request), "\r\n\r\n") != 1 {
			t.Errorf("target %q smuggles a second request: %q", target, request)
		}
	})
}
