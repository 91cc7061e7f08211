package protocol

import (
	"bytes"

	"github.com/gohone/hone/load"
)

// httpReader cuts a stream of HTTP/1.1 answers into messages (RFC 9112) without
// keeping any of it: every whole line and every piece of a body is consumed when it
// comes. It allocates nothing.
type httpReader struct {
	head  bool // answers have no body
	state httpState
	// status is the answer's code, minor the digit behind "HTTP/1.".
	status int
	minor  byte
	// headBytes counts the head so far, against maxHead.
	headBytes int
	// length is Content-Length, -1 if there was none; left is what remains of the
	// body or chunk.
	length, left int64
	chunked      bool // Transfer-Encoding: chunked
	coded        bool // there was a Transfer-Encoding
	close, keep  bool // Connection: close, keep-alive
	// foldable says that a continuation line would change no header that matters.
	foldable bool
}

// httpState is what the next bytes are.
type httpState uint8

const (
	httpStatusLine httpState = iota
	httpHeaders
	httpBody      // left bytes
	httpUntilEOF  // all that comes
	httpChunkSize // a chunk's first line
	httpChunk     // left bytes of it
	httpChunkEnd  // CR LF behind it
	httpTrailers
)

// httpEnd says how an answer ended, if it did.
type httpEnd struct {
	done   bool // whole
	broken bool // no way to go on, because of cause
	close  bool // whole, and the last on this connection
	cause  load.Cause
	status int
}

// maxHead bounds a head, a chunk's first line and the trailers: twice what common
// servers accept in requests.
const maxHead = 64 << 10

// read consumes bytes of in up to the end of one answer. eof: nothing comes behind in.
func (r *httpReader) read(in []byte, eof bool) (n int, end httpEnd) {
	for {
		var used int
		var ok bool
		switch r.state {
		case httpBody, httpChunk:
			used = int(min(r.left, int64(len(in)-n)))
			r.left -= int64(used)
			ok = r.left == 0
			if ok && r.state == httpBody {
				return n + used, r.finish()
			}
			if ok {
				r.state = httpChunkEnd
			}
		case httpUntilEOF:
			used = len(in) - n
			if eof {
				return n + used, r.finish()
			}
		default:
			line, size := httpLine(in[n:])
			used, ok = size, size > 0
			if r.headBytes += size; r.headBytes > maxHead || !ok && len(in)-n > maxHead {
				return n, r.broken(load.Malformed)
			}
			if ok {
				fine, last := r.line(line)
				if !fine {
					return n, r.broken(load.Malformed)
				}
				if last {
					return n + used, r.finish()
				}
			}
		}
		n += used
		if ok {
			continue
		}
		begun := r.state != httpStatusLine || r.headBytes > 0 || n < len(in)
		if eof && begun {
			return len(in), r.broken(load.WrongLength)
		}
		return n, httpEnd{}
	}
}

// finish ends a whole answer and makes r ready for the next.
func (r *httpReader) finish() httpEnd {
	end := httpEnd{done: true, status: r.status}
	end.close = r.close || r.state == httpUntilEOF || r.minor == '0' && !r.keep
	*r = httpReader{head: r.head}
	return end
}

func (r *httpReader) broken(cause load.Cause) httpEnd {
	return httpEnd{broken: true, cause: cause, status: r.status}
}

// httpLine cuts off the first line; size counts its end as well, 0 if it is not
// whole. line keeps a CR before the LF.
func httpLine(in []byte) (line []byte, size int) {
	i := bytes.IndexByte(in, '\n')
	if i < 0 {
		return nil, 0
	}
	return in[:i], i + 1
}

// line takes one line outside the body. fine is false if it breaks the rules, last
// is true if the answer ends with it.
func (r *httpReader) line(line []byte) (fine, last bool) {
	crlf := len(line) > 0 && line[len(line)-1] == '\r'
	if crlf {
		line = line[:len(line)-1]
	}
	switch r.state {
	case httpStatusLine:
		return r.statusLine(line), false
	case httpHeaders:
		if len(line) == 0 {
			return r.headEnd()
		}
		return r.header(line), false
	case httpChunkSize:
		// A bare LF here lets two readers disagree on where a chunk begins.
		return crlf && r.chunkSize(line), false
	case httpChunkEnd:
		r.state, r.headBytes = httpChunkSize, 0
		return crlf && len(line) == 0, false
	default: // httpTrailers
		return len(line) == 0 || isField(line), len(line) == 0
	}
}

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
	r.status, r.length, r.state = int(status), -1, httpHeaders
	return true
}

// headEnd decides how long the body is: RFC 9112 section 6.3.
func (r *httpReader) headEnd() (fine, last bool) {
	switch {
	case r.status == 101:
		return false, false // a switch of protocols that nobody asked for
	case r.status < 200: // interim: the answer is still to come
		*r = httpReader{head: r.head}
		return true, false
	case r.head, r.status == 204, r.status == 304:
		return true, true
	case r.coded && !r.chunked:
		return false, false
	case r.chunked:
		r.state, r.headBytes = httpChunkSize, 0
	case r.length == 0:
		return true, true
	case r.length > 0:
		r.state, r.left = httpBody, r.length
	default:
		r.state = httpUntilEOF
	}
	return true, false
}

// chunkSize: RFC 9112 section 7.1. Extensions are ignored.
func (r *httpReader) chunkSize(line []byte) bool {
	if i := bytes.IndexByte(line, ';'); i >= 0 {
		line = line[:i]
	}
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
