package nullserver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	stdhttp "net/http"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

// TestNetHTTPUnderstandsTheAnswers asks with a client that we did not write.
func TestNetHTTPUnderstandsTheAnswers(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			dial := start(t, way, Options{CPU: -1})
			transport := &stdhttp.Transport{
				DialContext: func(context.Context, string, string) (net.Conn, error) { return dial(), nil },
			}
			defer transport.CloseIdleConnections()
			client := &stdhttp.Client{Transport: transport}
			for _, ask := range []struct {
				method string
				body   int
				close  bool
				want   string
			}{
				{method: "GET", want: "ok"},
				{method: "HEAD"},
				{method: "POST", body: 10, want: "ok"},
				{method: "PUT", body: 3 << 20, want: "ok"},
				{method: "GET", close: true, want: "ok"},
				{method: "HEAD", close: true},
				{method: "DELETE", want: "ok"},
			} {
				request, err := stdhttp.NewRequest(ask.method, "http://a/path?q=1",
					bytes.NewReader(make([]byte, ask.body)))
				if err != nil {
					t.Fatal(err)
				}
				request.Close = ask.close
				response, err := client.Do(request)
				if err != nil {
					t.Fatalf("%+v: %v", ask, err)
				}
				body, err := io.ReadAll(response.Body)
				response.Body.Close()
				if err != nil || string(body) != ask.want || response.StatusCode != 200 ||
					response.ContentLength != 2 || response.Close != ask.close {
					t.Errorf("%+v: %+v, body %q, %v", ask, response, body, err)
				}
			}
		})
	}
}

func TestPipelinedAndSplitRequests(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			c := start(t, way, Options{CPU: -1})()
			say(t, c, strings.Repeat(get, 50), strings.Repeat(answerOK, 50))
			for _, piece := range []string{"\r", "\nGE", "T / HTTP/1.1\r", "\nContent-", "Length: 1", "2\r\n\r", "\n",
				"GET / HTT"} {
				if _, err := io.WriteString(c, piece); err != nil {
					t.Fatal(err)
				}
			}
			say(t, c, "P/1"+"HEAD / HTTP/1.1\r\n\r\n", answerOK+answerHead)
		})
	}
}

// TestEndsOfConnections: who asks for the end gets it, behind the answer, and what is
// not understood is refused in words, also with more after it.
func TestEndsOfConnections(t *testing.T) {
	long := "GET / HTTP/1.1\r\nX: " + strings.Repeat("x", maxRest) + "\r\n\r\n"
	for _, way := range ways {
		dial := start(t, way, Options{CPU: -1})
		for ask, want := range map[string]string{
			"GET / HTTP/1.1\r\nConnection: close\r\n\r\n":                       answerOKLast,
			"GET / HTTP/1.1\r\nCONNECTION: foo, Close\r\n\r\n":                  answerOKLast,
			"HEAD / HTTP/1.1\r\nconnection:close\r\n\r\n":                       answerHeadLast,
			"GET / HTTP/1.0\r\n\r\n":                                            answerOKLast,
			get + "GET / HTTP/1.1\r\nConnection: close\r\n\r\n" + get:           answerOK + answerOKLast,
			"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n":    refuseChunked,
			"POST / HTTP/1.1\r\nExpect: 100-continue\r\n\r\n":                   refuseExpect,
			"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n":                      refuseMalformed,
			"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n": refuseMalformed,
			"POST / HTTP/1.1\r\nContent-Length : 1\r\n\r\n":                     refuseMalformed,
			"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n":   refuseMalformed,
			"hello\r\n\r\n":          refuseMalformed,
			"GET / HTTP/1.7\r\n\r\n": refuseVersion,
			"GET / HTTP/2.0\r\n\r\n": refuseMalformed,
			long + get:               refuseLong,
			// More than one read holds: closing with it unread would reset the connection.
			"GET / HTTP/1.1\r\nConnection: close\r\n\r\n" + strings.Repeat(get, 5000): answerOKLast,
		} {
			t.Run(fmt.Sprintf("%s/%.60q", way, ask), func(t *testing.T) {
				c := dial()
				say(t, c, ask, want)
				hearEnd(t, c)
			})
		}
	}
}

// TestEveryRequestIsCounted: what net/http writes as n requests is n requests.
func TestEveryRequestIsCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 8).Draw(t, "requests")
		var in bytes.Buffer
		for range n {
			method := rapid.SampledFrom([]string{"GET", "HEAD", "POST", "PUT"}).Draw(t, "method")
			body := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "body")
			r, err := stdhttp.NewRequest(method, "http://host/", bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			name := rapid.StringMatching(`[CTEctex][a-z-]{0,16}`).Draw(t, "name")
			if name != "expect" && name != "Expect" {
				r.Header.Set("X-"+name, rapid.StringMatching(`[ -~]{0,30}`).Draw(t, "value"))
			}
			if err := r.Write(&in); err != nil {
				t.Fatal(err)
			}
		}
		pieces := newPieces(HTTP)
		for left := in.Bytes(); len(left) > 0; {
			cut := rapid.IntRange(1, len(left)).Draw(t, "cut")
			pieces.feed(left[:cut])
			left = left[cut:]
		}
		if served := bytes.Count(pieces.out, []byte(okStatus)); served != n || pieces.last || len(pieces.rest) > 0 {
			t.Fatalf("served %d of %d, last %v, rest %q", served, n, pieces.last, pieces.rest)
		}
	})
}

// pieces is a connection without a socket: it gives a speaker its input in the pieces
// that it is fed.
type pieces struct {
	speaker   speaker
	rest, out []byte
	last      bool
}

func newPieces(r Reply) *pieces { return &pieces{speaker: newSpeaker(r)} }

// feed returns false if what was left over is more than may be.
func (p *pieces) feed(piece []byte) bool {
	if p.last {
		return true
	}
	in := append(p.rest, piece...)
	out, used, last := p.speaker.answer(p.out, in)
	p.out, p.rest, p.last = out, append([]byte(nil), in[used:]...), last
	return last || len(p.rest) < maxRest
}
