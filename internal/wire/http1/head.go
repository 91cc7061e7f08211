package http1

import (
	"bytes"

	"github.com/gohone/hone/internal/wire"
)

// statusLine: RFC 9112 section 4. A line of "HTTP/1.1 200" without the space after
// is common and accepted.
func (r *reader) statusLine(line []byte) bool {
	const prefix = "HTTP/1."
	if len(line) < len(prefix)+5 || string(line[:len(prefix)]) != prefix {
		return false
	}
	r.minor = line[len(prefix)]
	code := line[len(prefix)+2:]
	if r.minor < '0' || r.minor > '9' || line[len(prefix)+1] != ' ' || len(code) > 3 && code[3] != ' ' {
		return false
	}
	status, ok := wire.Decimal(code[:3])
	if !ok || status < 100 {
		return false
	}
	r.status, r.length, r.state = uint16(status), -1, headers
	return true
}

// headEnd decides how long the body is: RFC 9112 section 6.3.
func (r *reader) headEnd() next {
	switch {
	case r.status == 101:
		return bad // a switch of protocols that was not asked for
	case r.status < 200: // interim: the answer is still to come
		r.message = message{}
		return on
	case r.head, r.status == 204, r.status == 304:
		r.state = nothing
	case r.coded && !r.chunked:
		return bad
	case r.chunked:
		r.state, r.headBytes = chunkSize, 0
	case r.length == 0:
		r.state = nothing
	case r.length > 0:
		r.state, r.left = counted, r.length
	default:
		r.state = untilEOF
	}
	return headWhole
}

// chunkSize: RFC 9112 section 7.1. Extensions are ignored.
func (r *reader) chunkSize(line []byte) bool {
	line, _, _ = bytes.Cut(line, []byte(";"))
	line = bytes.TrimRight(line, " \t")
	size, ok := wire.Hexadecimal(line)
	if !ok {
		return false
	}
	r.headBytes = 0
	r.state, r.left = chunk, size
	if size == 0 {
		r.state = trailers
	}
	return true
}
