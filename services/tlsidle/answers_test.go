package tlsidle_test

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/gohone/hone/services/tlsidle"
)

func TestDocument(t *testing.T) {
	if n := len(tlsidle.Document()); n != 16_000 {
		t.Errorf("document has %d bytes, want 16,000", n)
	}
	if !json.Valid(tlsidle.Document()) {
		t.Error("document is no JSON")
	}
}

// Every stage gives the same bytes to the same requests; net/http's are the standard.
func TestStagesAnswerAlike(t *testing.T) {
	sessions := map[string]string{
		"one":             lastly,
		"three in a row":  good + good + lastly,
		"head":            "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n" + lastly,
		"query":           "GET /?a=b HTTP/1.1\r\nHost: localhost\r\n\r\n" + lastly,
		"absolute":        "GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n" + lastly,
		"not found":       "GET /other HTTP/1.1\r\nHost: localhost\r\n\r\n" + lastly,
		"head not found":  "HEAD /other HTTP/1.1\r\nHost: localhost\r\n\r\n" + lastly,
		"encoded":         "GET /%6fther HTTP/1.1\r\nHost: localhost\r\n\r\n" + lastly,
		"delete":          "DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n" + lastly,
		"options":         "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n" + lastly,
		"own method":      "BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n" + lastly,
		"post of nothing": "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n" + lastly,
		"body":            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
		"body of GET":     "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
		"chunked":         "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n",
		"body, 1.0":       "POST / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello",
		"1.0":             "GET / HTTP/1.0\r\n\r\n",
		"1.0 kept":        "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\nGET / HTTP/1.0\r\n\r\n",
		"head, 1.0 kept":  "HEAD / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\nHEAD / HTTP/1.0\r\n\r\n",
		"close in a list": "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: TE, Close\r\n\r\n",
		"expects body":    "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello",
		"expects nothing": "GET / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-Continue\r\n\r\n" + lastly,
		"expects more":    "GET / HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n\r\n",
		"head, too":       "HEAD / HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n\r\n",
		"no value":        "GET / HTTP/1.1\r\nHost:\r\nX:\r\nContent-Length: 000\r\n\r\n" + lastly,
		"many fields":     "GET / HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X-Field: value\r\n", 400) + "\r\n" + lastly,
		"form wrong":      "GET / HTTP\r\nHost: localhost\r\n\r\n",
		"long head":       "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 16<<10) + "\r\n\r\n",
	}
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		want := make(map[string]string)
		reference := start(t, tlsidle.Config{Stage: "nethttp"})
		for name, text := range sessions {
			want[name] = undated(exchange(t, reference.dial(t, version), text))
		}
		ownStages(t, func(t *testing.T, stage string) {
			r := start(t, tlsidle.Config{Stage: stage})
			for name, text := range sessions {
				conn := r.dial(t, version)
				if got := conn.ConnectionState(); got.Version != version || got.NegotiatedProtocol != "http/1.1" {
					t.Fatalf("%s: TLS %x with %q", name, got.Version, got.NegotiatedProtocol)
				}
				if got := undated(exchange(t, conn, text)); got != want[name] {
					t.Errorf("%s: got\n%.300q\nwant\n%.300q", name, got, want[name])
				}
			}
		})
	}
}

// It does not matter how requests are cut into records and segments.
func TestPiecesMakeNoDifference(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, tlsidle.Config{Stage: stage})
		text := good + "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n" + lastly
		want := undated(exchange(t, r.dial(t, 0), text))
		for name, cut := range map[string]int{"bytes": 1, "sevens": 7, "words": 61} {
			conn := handshake(t, choppy{r.Dial(t)}, 0)
			for rest := text; rest != ""; {
				n := min(cut, len(rest))
				write(t, conn, rest[:n])
				rest = rest[n:]
			}
			if got := undated(exchange(t, conn, "")); got != want {
				t.Errorf("%s: got %.300q, want %.300q", name, got, want)
			}
		}
	})
}

// choppy sends every write, TLS records that is, in small segments.
type choppy struct{ *net.TCPConn }

func (c choppy) Write(b []byte) (int, error) {
	for i := range b {
		if i%5 == 4 || i == len(b)-1 {
			if _, err := c.TCPConn.Write(b[i/5*5 : i+1]); err != nil {
				return i / 5 * 5, err
			}
		}
	}
	return len(b), nil
}

// Many clients at once each get what they asked for, in order.
func TestManyClients(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		// So many handshakes at once take more than 10 s on a busy machine with the race detector.
		r := start(t, tlsidle.Config{Stage: stage, HandshakeTimeout: hang, RequestTimeout: hang, WriteTimeout: hang})
		const clients, rounds = 60, 9
		var wg sync.WaitGroup
		for i := range clients {
			wg.Go(func() {
				conn, err := tls.Dial("tcp", r.Addr, clientConfig(0))
				if err != nil {
					t.Error(err)
					return
				}
				defer conn.Close()
				answers := bufio.NewReader(conn)
				for round := range rounds {
					path, status := "/", http.StatusOK
					if (i+round)%3 == 0 {
						path, status = "/x", http.StatusNotFound
					}
					if !ask(t, conn, answers, path, status) {
						return
					}
				}
			})
		}
		wg.Wait()
		r.await(t, "every client's end", func(c tlsidle.Counters) bool { return c.Connected == 0 })
		if c := r.Counters(); c.Requests != clients*rounds || c.Responses != clients*rounds || c.Handshakes != clients && stage != "nethttp" {
			t.Errorf("counters are %+v, want %d requests, responses and handshakes", c, clients*rounds)
		}
	})
}

// ask sends one request and checks its answer.
func ask(t testing.TB, conn io.Writer, answers *bufio.Reader, path string, status int) bool {
	if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Error(err)
		return false
	}
	answer, err := http.ReadResponse(answers, nil)
	if err != nil {
		t.Error(err)
		return false
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status || status == http.StatusOK && string(body) != string(tlsidle.Document()) {
		t.Errorf("%s: %s with %d bytes, %v; want %d", path, answer.Status, len(body), err, status)
		return false
	}
	return true
}

// What is not a request, or may be two to another reader, is refused as net/http refuses
// what it knows to be wrong: with the same status, and the end of the connection.
func TestRefusals(t *testing.T) {
	for name, tc := range map[string]struct {
		text   string
		status string
		lax    bool // net/http takes it
	}{
		"length beside coding":     {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400", true},
		"coding in 1.0":            {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400", true},
		"two lengths":              {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd", "400", false},
		"list of lengths":          {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0, 0\r\n\r\n", "400", false},
		"signed length":            {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\na", "400", false},
		"length out of range":      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\na", "400", false},
		"empty length":             {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n", "400", false},
		"two codings":              {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "501", false},
		"coding that is unknown":   {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "501", false},
		"coding, vertical tab":     {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n", "400", false},
		"space before colon":       {"GET / HTTP/1.1\r\nHost: x\r\nContent-Length : 4\r\n\r\nabcd", "400", false},
		"folded line":              {"GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n", "400", true},
		"folded first line":        {"GET / HTTP/1.1\r\n Host: x\r\n\r\n", "400", false},
		"line feeds alone":         {"GET / HTTP/1.1\nHost: x\n\n", "400", true},
		"line feed alone, blank":   {"GET / HTTP/1.1\r\nHost: x\r\n\n", "400", true},
		"carriage return in value": {"GET / HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n", "400", false},
		"two carriage returns":     {"GET / HTTP/1.1\r\nHost: x\r\r\n\r\n", "400", false},
		"null in value":            {"GET / HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n", "400", false},
		"no host":                  {"GET / HTTP/1.1\r\n\r\n", "400", false},
		"two hosts":                {"GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", "400", false},
		"host of no form":          {"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "400", false},
		"no colon":                 {"GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n", "400", false},
		"no name":                  {"GET / HTTP/1.1\r\nHost: x\r\n: v\r\n\r\n", "400", false},
		"blank line first":         {"\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", "400", false},
		"method of no form":        {"G(T / HTTP/1.1\r\nHost: x\r\n\r\n", "400", false},
		"two spaces":               {"GET  / HTTP/1.1\r\nHost: x\r\n\r\n", "400", false},
		"target of no form":        {"GET x HTTP/1.1\r\nHost: x\r\n\r\n", "400", false},
		"target ends in encoding":  {"GET /% HTTP/1.1\r\nHost: x\r\n\r\n", "400", false},
		"version 2":                {"GET / HTTP/2.0\r\nHost: x\r\n\r\n", "505", false},
		"version 0.9":              {"GET / HTTP/0.9\r\nHost: x\r\n\r\n", "505", false},
		"version in small letters": {"GET / http/1.1\r\nHost: x\r\n\r\n", "400", false},
		"HTTP/2 preface":           {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505", true},
	} {
		t.Run(name, func(t *testing.T) {
			eachStage(t, func(t *testing.T, stage string) {
				if stage == "nethttp" && tc.lax {
					t.Skip("net/http takes it")
				}
				r := start(t, tlsidle.Config{Stage: stage})
				conn := r.dial(t, 0)
				write(t, conn, tc.text)
				// Nothing that follows is answered, whatever it looks like. net/http may
				// reset the connection over it.
				io.WriteString(conn, good)
				got, _ := io.ReadAll(conn)
				if !strings.HasPrefix(string(got), "HTTP/1.1 "+tc.status+" ") || strings.Count(string(got), "HTTP/1.1 ") != 1 {
					t.Errorf("got %.300q, want one answer with %s", got, tc.status)
				}
				if stage != "nethttp" {
					r.await(t, "the refusal", func(c tlsidle.Counters) bool { return c.Ended[tlsidle.CauseBadRequest] == 1 })
				}
				r.mustServe(t)
			})
		})
	}
}
