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
	"github.com/gohone/hone/load"
)

// httpStreams are streams of answers that readers have tripped over.
var httpStreams = []string{
	"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.0 404 No\r\n\r\nx",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffff\r\n",
	"HTTP/1.1 100 \r\n\r\nHTTP/1.1 200 OK\r\nA:\r\n b\r\nConnection: close\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n1 \r\nd\r\n0\r\nT: r\r\n\r\nHTTP/1.1 204 \r\n\r\n",
	"HTTP/1.1 200 OK\r\nContent-Length: 7\r\nDate: a\r\n\r\n{\"a\":1}HTTP/1.1 200 OK\r\nContent-Length: 7\r\nDate: b\r\n\r\n{\"a\":1}",
	"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\n0",
	"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
}

// However a stream is cut, its answers are the same, and none of it is read twice; what
// a connection has seen before changes nothing either.
func FuzzHTTPAnswers(f *testing.F) {
	for i, s := range httpStreams {
		f.Add([]byte(s), uint8(i), i%2 == 1)
	}
	f.Fuzz(func(t *testing.T, in []byte, cut uint8, look bool) {
		const n = 6
		var o wire.Options
		if look {
			o.Expect = wire.Expect{Body: "aab", JSON: "a"}
		}
		in = append(in, in...) // heads repeat
		whole := answers(t, httpDialog(t, o, n), in, len(in)+1)
		pieces := answers(t, httpDialog(t, o, n), in, int(cut)+1)
		if fmt.Sprint(whole) != fmt.Sprint(pieces) {
			t.Errorf("whole %+v, in pieces %+v", whole, pieces)
		}
		used, rest := httpDialog(t, o, n), in
		for range n {
			size, a := nextAnswer(used, rest)
			freshSize, fresh := nextAnswer(httpDialog(t, o, 1), rest)
			if a.Cause == load.ExtraBytes { // which a new connection cannot know
				a = load.Answer{Cause: load.Malformed, Close: true}
			}
			if a.Seq = 0; size != freshSize || a != fresh {
				t.Errorf("at %q: %d bytes are %+v to a connection in use, %d bytes %+v to a new one",
					rest, size, a, freshSize, fresh)
			}
			if rest = rest[size:]; a.Close || len(rest) == 0 {
				return
			}
		}
	})
}

// nextAnswer reads one whole answer from the end of a connection.
func nextAnswer(d load.Dialog, in []byte) (size int, a load.Answer) {
	for {
		n, a := d.NextAnswer(in[size:], true)
		if size += n; !a.Partial || a.Close || n == 0 {
			return size, a
		}
	}
}

// Where net/http takes an answer and this reader does, they agree on its status, on the
// length of its body, on where it ends and on whether the connection goes on.
func FuzzHTTPAgainstNetHTTP(f *testing.F) {
	for i, s := range httpStreams {
		f.Add([]byte(s), i%3 == 0)
	}
	f.Fuzz(func(t *testing.T, in []byte, head bool) {
		method := "GET"
		if head {
			method = "HEAD"
		}
		size, got := nextAnswer(httpDialog(t, wire.Options{Method: method}, 1), in)
		if size == 0 || got.Code == 0 {
			return
		}
		r := bufio.NewReaderSize(bytes.NewReader(in), len(in)+16)
		resp, err := readFinal(r, method)
		if err != nil {
			return
		}
		length, err := io.Copy(io.Discard, resp.Body)
		if err != nil {
			return
		}
		if resp.StatusCode != int(got.Code) {
			t.Fatalf("status %d, net/http says %d", got.Code, resp.StatusCode)
		}
		if got.Close != resp.Close || !got.Close && size != len(in)-r.Buffered() {
			t.Errorf("%d bytes, close %v; net/http says %d bytes, close %v", size, got.Close, len(in)-r.Buffered(),
				resp.Close)
		}
		if head {
			return
		}
		o := wire.Options{Expect: wire.Expect{Status: []string{fmt.Sprint(got.Code)}, Length: &length}}
		if _, a := nextAnswer(httpDialog(t, o, 1), in); a.Cause != load.OK {
			t.Errorf("net/http says the body has %d bytes: %+v", length, a)
		}
	})
}

// readFinal reads the answer after any interim ones.
func readFinal(r *bufio.Reader, method string) (*http.Response, error) {
	for {
		resp, err := http.ReadResponse(r, &http.Request{Method: method})
		if err != nil || resp.StatusCode >= 200 {
			return resp, err
		}
	}
}

// However a body is cut, its text is found if it is in there.
func FuzzHTTPBodyText(f *testing.F) {
	f.Add("aabaabaaab", "aaab", uint8(1))
	f.Add("abcabcabd", "abcabd", uint8(3))
	f.Add("xxabab\x00ababac", "ababac", uint8(2))
	f.Fuzz(func(t *testing.T, body, text string, cut uint8) {
		if text == "" {
			return
		}
		o := wire.Options{Expect: wire.Expect{Body: text}}
		in := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		var want load.Cause
		if !strings.Contains(body, text) {
			want = load.WrongBody
		}
		twice := append(in, in...) // the second must not see what the first left
		got := answers(t, httpDialog(t, o, 2), twice, int(cut)+1)
		if len(got) != 2 || got[0].Cause != want || got[1].Cause != want {
			t.Errorf("%q in %q: %+v, want both %s", text, body, got, want)
		}
	})
}
