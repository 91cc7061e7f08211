package tlsidle

import (
	"net/http"
	"strconv"
	"time"
)

// BodySize is the length of the document at /, in bytes. With its head it stays below
// the 16,384 bytes of plaintext that a TLS record holds (RFC 8446, 5.1).
const BodySize = 16_000

// document is the body of every good answer: JSON, and the same on every server.
var document = makeDocument()

// Document returns a copy of the document at /.
func Document() []byte { return append([]byte(nil), document...) }

func makeDocument() []byte {
	b := make([]byte, 0, BodySize)
	b = append(b, `{"numbers":[0`...)
	const tail = "]}\n"
	for i := 1; ; i++ {
		n := len(b)
		b = strconv.AppendInt(append(b, ','), int64(i), 10)
		if len(b)+len(tail) > BodySize {
			b = b[:n]
			break
		}
	}
	for len(b)+len(tail) < BodySize {
		b = append(b, ' ')
	}
	return append(b, tail...)
}

// answer is what a well-formed request gets. Its fields become the same bytes in every
// stage: the header fields in the order of their names, as net/http writes a handler's,
// then Date, then what the protocol adds.
type answer struct {
	status int
	allow  bool // Allow: GET, HEAD
	ends   bool // Connection: close, because the body of the request stays unread
	body   []byte
}

const (
	allowed  = "GET, HEAD"
	jsonType = "application/json"
)

var (
	answerDocument = answer{status: http.StatusOK, body: document}
	answerNotFound = answer{status: http.StatusNotFound, body: []byte("{\"error\":\"no such path\"}\n")}
	answerMethod   = answer{status: http.StatusMethodNotAllowed, allow: true, body: []byte("{\"error\":\"method not allowed\"}\n")}
	answerBody     = answer{status: http.StatusRequestEntityTooLarge, ends: true, body: []byte("{\"error\":\"a request has no body here\"}\n")}
)

// choose is the whole service: which answer a request gets.
func choose(method, path string, hasBody bool) *answer {
	switch {
	case hasBody:
		return &answerBody
	case method != http.MethodGet && method != http.MethodHead:
		return &answerMethod
	case path != "/":
		return &answerNotFound
	}
	return &answerDocument
}

// append appends the answer to r, dated now, and says whether the connection ends with
// it.
func (a *answer) append(b []byte, r *request, now time.Time) (_ []byte, ends bool) {
	b = appendStatus(b, r.minor, a.status)
	if a.allow {
		b = append(b, "Allow: "+allowed+"\r\n"...)
	}
	if a.ends {
		b = append(b, "Connection: close\r\n"...)
	}
	b = append(b, "Content-Length: "...)
	b = strconv.AppendInt(b, int64(len(a.body)), 10)
	b = append(b, "\r\nContent-Type: "+jsonType+"\r\n"...)
	b = appendDate(b, now)
	switch {
	case a.ends:
	case r.ends && r.minor == 1:
		b = append(b, "Connection: close\r\n"...)
	case !r.ends && r.minor == 0:
		b = append(b, "Connection: keep-alive\r\n"...)
	}
	b = append(b, "\r\n"...)
	if r.method != http.MethodHead {
		b = append(b, a.body...)
	}
	return b, a.ends || r.ends
}

// appendUnexpected appends the answer to an expectation that this server does not know
// (RFC 9110, 10.1.1), in net/http's form. The connection ends with it.
func appendUnexpected(b []byte, r *request, now time.Time) []byte {
	b = appendStatus(b, r.minor, http.StatusExpectationFailed)
	b = append(b, "Connection: close\r\n"...)
	b = appendDate(b, now)
	if r.method != http.MethodHead {
		b = append(b, "Content-Length: 0\r\n"...)
	}
	return append(b, "\r\n"...)
}

// append appends the answer to what is not a request, in net/http's form. The connection
// ends with it.
func (r *refusal) append(b []byte) []byte {
	text := strconv.Itoa(r.status) + " " + http.StatusText(r.status)
	b = append(b, "HTTP/1.1 "...)
	b = append(b, text...)
	b = append(b, "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"...)
	return append(b, text...)
}

func appendStatus(b []byte, minor, status int) []byte {
	b = append(b, "HTTP/1."...)
	b = strconv.AppendInt(b, int64(minor), 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(status), 10)
	b = append(b, ' ')
	b = append(b, http.StatusText(status)...)
	return append(b, "\r\n"...)
}

func appendDate(b []byte, now time.Time) []byte {
	b = append(b, "Date: "...)
	b = now.UTC().AppendFormat(b, http.TimeFormat)
	return append(b, "\r\n"...)
}
