package protocol

import "bytes"

// statusLine: RFC 9112 section 4. A line of "HTTP/1.1 200" without the space behind
// is common and accepted.
func (r *httpReader) statusLine(line []byte) bool {
	const prefix = "HTTP/1."
	if len(line) < len(prefix)+5 || string(line[:len(prefix)]) != prefix {
		return false
	}
	r.minor = line[len(prefix)]
	code := line[len(prefix)+2:]
	if r.minor < '0' || r.minor > '9' || line[len(prefix)+1] != ' ' || len(code) > 3 && code[3] != ' ' {
		return false
	}
	status, ok := decimal(code[:3])
	if !ok || status < 100 {
		return false
	}
	r.status, r.length, r.state = uint16(status), -1, httpHeaders
	return true
}

// headEnd decides how long the body is: RFC 9112 section 6.3.
func (r *httpReader) headEnd() httpNext {
	switch {
	case r.status == 101:
		return httpBad // a switch of protocols that was not asked for
	case r.status < 200: // interim: the answer is still to come
		r.httpMessage = httpMessage{}
		return httpOn
	case r.head, r.status == 204, r.status == 304:
		r.state = httpNothing
	case r.coded && !r.chunked:
		return httpBad
	case r.chunked:
		r.state, r.headBytes = httpChunkSize, 0
	case r.length == 0:
		r.state = httpNothing
	case r.length > 0:
		r.state, r.left = httpCounted, r.length
	default:
		r.state = httpUntilEOF
	}
	return httpHeadEnd
}

// chunkSize: RFC 9112 section 7.1. Extensions are ignored.
func (r *httpReader) chunkSize(line []byte) bool {
	line, _, _ = bytes.Cut(line, []byte(";"))
	line = bytes.TrimRight(line, " \t")
	size, ok := hexadecimal(line)
	if !ok {
		return false
	}
	r.headBytes = 0
	r.state, r.left = httpChunk, size
	if size == 0 {
		r.state = httpTrailers
	}
	return true
}
