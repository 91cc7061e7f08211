package schemes_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

func httpDialog(t testing.TB, o wire.Options, requests int) load.Dialog {
	t.Helper()
	target, err := schemes.Parse("http://h", o)
	if err != nil {
		t.Fatal(err)
	}
	d := target.Dialog(0)
	for seq := range requests {
		d.AppendRequest(nil, uint64(seq))
	}
	return d
}

func TestHTTPRequestIsReadByNetHTTPAsMeant(t *testing.T) {
	target, err := schemes.Parse("http://example.test:81/a%20b?c=d#frag", wire.Options{
		Headers: []string{"X-One: 1", "accept:text/plain"}, Body: []byte("hello"),
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(target.Dialog(0).AppendRequest(nil, 0))))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(r.Body)
	got := fmt.Sprint(r.Method, " ", r.RequestURI, " ", r.Host, " ", r.Header.Get("X-One"), " ", r.Header.Get("Accept"),
		" ", string(body))
	if want := "POST /a%20b?c=d example.test:81 1 text/plain hello"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHTTPLoadsAServer(t *testing.T) {
	var bad atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); r.Method == "POST" && string(body) != "ping" {
			bad.Add(1)
		}
		switch r.URL.Path {
		case "/chunked":
			for range 3 {
				io.WriteString(w, strings.Repeat("x", 5000))
				w.(http.Flusher).Flush()
			}
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
		case "/early":
			w.WriteHeader(http.StatusEarlyHints)
			io.WriteString(w, "late")
		case "/large":
			w.Write(make([]byte, 300_000))
		case "/close":
			w.Header().Set("Connection", "close")
		default:
			io.WriteString(w, "hello")
		}
	}))
	defer server.Close()
	for _, path := range []string{"/", "/chunked", "/empty", "/early", "/large", "/close"} {
		loads(t, server.URL+path, wire.Options{}, 1)
	}
	loads(t, server.URL+"/pipelined", wire.Options{}, 8)
	loads(t, server.URL+"/large", wire.Options{Method: "HEAD"}, 2)
	loads(t, server.URL+"/post", wire.Options{Body: []byte("ping")}, 1)
	if bad.Load() > 0 {
		t.Errorf("%d bodies did not arrive", bad.Load())
	}
}

func TestHTTPNamesWhatIsWrongWithAnAnswer(t *testing.T) {
	ok := load.Answer{Code: 200}
	closed := load.Answer{Code: 200, Close: true}
	status := load.Answer{Code: 404, Cause: load.WrongStatus}
	malformed := load.Answer{Cause: load.Malformed, Close: true}
	short := load.Answer{Cause: load.WrongLength, Close: true}
	for in, want := range map[string]load.Answer{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi":                                         ok,
		"HTTP/1.1 200\r\ncontent-LENGTH:0\r\n\r\n":                                               ok,
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n":                           {Code: 204},
		"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n":                                 {Code: 304},
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: r\r\n\r\n": ok,
		"HTTP/1.1 200 OK\nContent-Length: 0\n\n":                                                 ok,
		"HTTP/1.1 200 OK\r\nX: a\r\n folded\r\nContent-Length: 0\r\n\r\n":                        ok,
		"HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 0\r\n\r\n":                   closed,
		"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n":                                           closed,
		"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n":                 ok,
		"HTTP/1.1 200 OK\r\n\r\nto the end":                                                      closed,
		"HTTP/1.1 200 OK\r\n\r\n":                                                                closed,
		"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n":                                    status,
		"HTTP/1.1 503 No\r\n\r\nbusy": {Code: 503,
			Cause: load.WrongStatus, Close: true},
		"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi":                              short,
		"HTTP/1.1 200 OK\r\nContent-":                                                 short,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n":           short,
		"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx":          malformed,
		"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n":                               malformed,
		"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n 2\r\n\r\n":                          malformed,
		"HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n":                               malformed,
		"HTTP/1.1 200 OK\r\nno colon\r\n\r\n":                                         malformed,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n":                          malformed,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n":                malformed,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n":           malformed,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n":               malformed,
		"HTTP/1.1 101 Switching Protocols\r\n\r\n":                                    malformed,
		"HTTP/2.0 200 OK\r\n\r\n":                                                     malformed,
		"hello\r\n":                                                                   malformed,
		"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("y", 70_000):                        malformed,
		strings.Repeat("HTTP/1.1 200 OK\r\n", 1) + strings.Repeat("A: b\r\n", 20_000): malformed,
	} {
		for _, step := range []int{1, 7, len(in)} {
			got := answers(t, httpDialog(t, wire.Options{}, 1), []byte(in), step)
			if len(got) != 1 || got[0] != want {
				t.Errorf("%.60q in steps of %d: got %+v, want %+v", in, step, got, want)
			}
		}
	}
}

// Answers made at random, several in a row, cut at random: this reader and net/http
// agree on where each ends and on its status.
func TestHTTPReaderAgreesWithNetHTTP(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(r, "answers")
		var stream []byte
		for i := range n {
			stream = append(stream, drawResponse(r, i == n-1)...)
		}
		head := rapid.Bool().Draw(r, "head")
		method := "GET"
		if head {
			method = "HEAD"
		}
		want := netHTTP(stream, method, n)
		step := rapid.IntRange(1, len(stream)).Draw(r, "step")
		got := answers(t, httpDialog(t, wire.Options{Method: method}, n), stream, step)
		if len(got) > n {
			got = got[:n]
		}
		for i, a := range got {
			if a.Cause == load.ExtraBytes { // net/http has no such word
				got[i] = load.Answer{Seq: uint64(i), Cause: load.Malformed, Close: true}
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			r.Fatalf("stream %q\ngot  %+v\nwant %+v", stream, got, want)
		}
	})
}

// drawResponse makes a valid answer; only the last may go on to the end.
func drawResponse(r *rapid.T, last bool) string {
	var b strings.Builder
	if rapid.Bool().Draw(r, "interim") {
		b.WriteString("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
	}
	minor := rapid.SampledFrom([]string{"1", "1", "1", "0"}).Draw(r, "minor")
	status := rapid.SampledFrom([]int{200, 201, 204, 304, 404, 500}).Draw(r, "status")
	fmt.Fprintf(&b, "HTTP/1.%s %d %s\r\n", minor, status, http.StatusText(status))
	for _, h := range rapid.SliceOfN(rapid.SampledFrom([]string{
		"X-Y: z", "Empty:", "CONNECTION: keep-alive", "connection: foo, close", "Date: now", "Content-Type: text/html",
	}), 0, 4).Draw(r, "headers") {
		b.WriteString(h + "\r\n")
	}
	body := rapid.StringMatching(`[a-z\r\n:]{0,40}`).Draw(r, "body")
	framing := rapid.SampledFrom([]string{"length", "chunked", "end"}).Draw(r, "framing")
	switch {
	case status == 204 || status == 304:
		b.WriteString("\r\n")
	case framing == "chunked" && minor == "1":
		b.WriteString("Transfer-Encoding: chunked\r\n\r\n")
		for len(body) > 0 {
			k := rapid.IntRange(1, len(body)).Draw(r, "chunk")
			fmt.Fprintf(&b, "%x\r\n%s\r\n", k, body[:k])
			body = body[k:]
		}
		b.WriteString("0\r\n\r\n")
	case framing == "end" && last:
		b.WriteString("\r\n" + body)
	default:
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	return b.String()
}

// netHTTP reads up to n answers from stream with the standard library.
func netHTTP(stream []byte, method string, n int) (all []load.Answer) {
	in := bufio.NewReader(bytes.NewReader(stream))
	for i := range n {
		var resp *http.Response
		var err error
		for resp == nil || resp.StatusCode < 200 {
			if resp, err = http.ReadResponse(in, &http.Request{Method: method}); err != nil {
				break
			}
		}
		a := load.Answer{Seq: uint64(i)}
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
		}
		switch {
		case err != nil && in.Buffered() == 0 && i > 0 && resp == nil:
			return all
		case err != nil:
			return append(all, load.Answer{Seq: uint64(i), Cause: load.Malformed, Close: true})
		case resp.StatusCode >= 400:
			a.Cause = load.WrongStatus
		}
		a.Close, a.Code = resp.Close, uint16(resp.StatusCode)
		all = append(all, a)
		if a.Close {
			break
		}
	}
	return all
}

func TestHTTPReaderDoesNotAllocate(t *testing.T) {
	d := httpDialog(t, wire.Options{}, 1)
	in := []byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nhi")
	seq, buf := uint64(1), make([]byte, 0, 1<<10)
	if n := testing.AllocsPerRun(1000, func() {
		d.NextAnswer(in, false)
		buf = d.AppendRequest(buf[:0], seq)
		seq++
	}); n != 0 {
		t.Errorf("%v allocations per answer", n)
	}
}
