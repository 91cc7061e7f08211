package tlsidle

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// FuzzReadHead holds readHead against net/http's reading of the same bytes: what it
// accepts, net/http accepts, and reads as the same request.
func FuzzReadHead(f *testing.F) {
	for _, seed := range []string{
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST /a%20b?c HTTP/1.1\r\nHost: x:1\r\nContent-Length: 5\r\n\r\nhello",
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999999999999\r\n\r\n",
		"GET http://y/z HTTP/1.1\r\nHost: x\r\nConnection: a, close ,b\r\n\r\n",
		"GET //y/z HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
		"CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\nExpect: a\r\nExpect: 100-continue\r\n\r\n",
		"GET / HTTP/1.1\nHost: x\n\n",
		"GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\nX:\t a\xff \t\r\n\r\n",
		"\r\n\r\n", "\n\n", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		n := headEnd(b, 0)
		for from := range len(b) { // however the bytes arrive
			if whole := headEnd(b[:from], 0); whole != 0 {
				break
			}
			if got := headEnd(b, from); got != n {
				t.Fatalf("headEnd(%q, %d) = %d, from the start %d", b, from, got, n)
			}
		}
		if n == 0 {
			return
		}
		mine, why := readHead(b[:n])
		if why != nil {
			return
		}
		theirs, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(b)))
		if err != nil {
			t.Fatalf("accepted %q, which net/http refuses: %v", b[:n], err)
		}
		unread, err := io.ReadAll(theirs.Body) // what is left of the body
		if len(unread) > 0 && !mine.hasBody {
			t.Errorf("net/http sees a body behind %q", b[:n])
		}
		_ = err // bodies that are cut off or of a wrong form are refused unread
		if got, want := mine.hasBody, theirs.ContentLength != 0; got != want {
			t.Errorf("%q: body %v, net/http: %v", b[:n], got, want)
		}
		if mine.method != theirs.Method || mine.path != theirs.URL.Path || mine.host != theirs.Host ||
			mine.minor != theirs.ProtoMinor || theirs.ProtoMajor != 1 || mine.ends != theirs.Close {
			t.Errorf("%q: read as %+v, net/http: %+v", b[:n], mine, theirs)
		}
		if got, want := mine.unexpected, expectsMore(theirs); got != want {
			t.Errorf("%q: expects more %v, net/http: %v", b[:n], got, want)
		}
	})
}

// expectsMore is what net/http's server answers with 417: an Expect field that does not
// name 100-continue.
func expectsMore(r *http.Request) bool {
	first := r.Header.Get("Expect")
	for word := range strings.FieldsFuncSeq(first, func(c rune) bool { return c == ' ' || c == ',' || c == '\t' }) {
		if strings.EqualFold(word, "100-continue") {
			return false
		}
	}
	return first != ""
}

// What net/http accepts, readHead accepts, unless two readers might disagree on it.
func TestReadHeadIsNoStricterThanItSays(t *testing.T) {
	for _, head := range []string{
		"GET / HTTP/1.1\r\nHost:x\r\nX: \"a:b\"\r\nX-Empty:\r\n!#$%&'*+-.^_`|~09azAZ: odd name\r\n\r\n",
		"GET /%c3%bc/?q=%zz;&#x HTTP/1.1\r\nHost: [::1]:8443\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: \r\nCookie: a\xc3\xbc\r\n\r\n",
		"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0007\r\n\r\n1234567",
	} {
		if _, err := http.ReadRequest(bufio.NewReader(strings.NewReader(head))); err != nil {
			t.Errorf("net/http refuses %q: %v", head, err)
		}
		if _, why := readHead([]byte(head)[:headEnd([]byte(head), 0)]); why != nil {
			t.Errorf("refused %q: %v", head, why)
		}
	}
}

// Every answer fits into a scratch and into one TLS record.
func TestAnswersFit(t *testing.T) {
	b := newScratch()
	b.load([]byte("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"))
	out, last := b.next(time.Unix(1e9, 0))
	if last != nil || cap(out) != answerRoom || len(out) > 16384 {
		t.Errorf("%d bytes in %d, %v; want them in %d, and at most 16384", len(out), cap(out), last, answerRoom)
	}
}

// A head that fills the room for heads is taken; one byte more is not.
func TestLongestHead(t *testing.T) {
	for extra, want := range map[int]string{0: "200 OK", 1: "431 Request Header Fields Too Large"} {
		head := "GET / HTTP/1.1\r\nHost: x\r\nX: "
		head += strings.Repeat("x", MaxHeaderBytes-len(head)-len("\r\n\r\n")+extra) + "\r\n\r\n"
		b := newScratch()
		var out []byte
		var last error
		for rest := head; rest != "" && out == nil; {
			n := copy(b.space(), rest)
			rest = rest[n:]
			b.arrived(n)
			out, last = b.next(time.Unix(1e9, 0))
		}
		if !strings.HasPrefix(string(out), "HTTP/1.1 "+want+"\r\n") {
			t.Errorf("%d bytes: %.60q, %v; want %s", len(head), out, last, want)
		}
		if why := (*refusal)(nil); errors.As(last, &why) != (extra > 0) {
			t.Errorf("%d bytes: %v", len(head), last)
		}
	}
}
