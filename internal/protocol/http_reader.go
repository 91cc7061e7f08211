package protocol

import (
	"bytes"
	"hash/maphash"

	"github.com/gohone/hone/load"
)

// httpReader cuts a stream of HTTP/1.1 answers into messages (RFC 9112): every whole
// line and every piece of a body is consumed when it comes. It allocates nothing once
// it is warm.
type httpReader struct {
	head bool          // answers have no body
	body *httpBody     // checks the bodies; nil for no check
	sum  *maphash.Hash // of the bytes of a body, reset by who reads it; nil for none
	httpMessage
	memo httpMemo
	// streams says which answers are streams; stream is how far the one is that is being read.
	streams *Streams
	stream  stream
}

// httpMessage is how far the reader is in a message. All that follows from the bytes
// of a head is in here, see httpMemo.
type httpMessage struct {
	state httpState
	// minor is the digit behind "HTTP/1.", status the answer's code.
	minor  byte
	status uint16
	// headBytes counts the head so far, against maxHead.
	headBytes int
	// length is Content-Length, -1 if there was none; left is what remains of the
	// body or chunk, got how much of the body has come.
	length, left, got int64
	chunked           bool // Transfer-Encoding: chunked
	coded             bool // there was a Transfer-Encoding
	close, keep       bool // Connection: close, keep-alive
	events            bool // Content-Type: text/event-stream
	// foldable says that a continuation line would change no header that matters.
	foldable bool
}

// httpState is what the next bytes are.
type httpState uint8

const (
	httpStatusLine httpState = iota // of a message of which nothing has come yet
	httpHeaders
	httpNothing   // the message ends with its head
	httpCounted   // left bytes of body
	httpUntilEOF  // all that comes
	httpChunkSize // a chunk's first line
	httpChunk     // left bytes of it
	httpChunkEnd  // CR LF behind it
	httpTrailers
)

// httpNext is what became of a step.
type httpNext uint8

const (
	httpOn      httpNext = iota // go on with the next
	httpMore                    // more bytes are needed
	httpHeadEnd                 // go on; this was the end of the head
	httpLast                    // the message is whole
	httpBad                     // it breaks the rules
)

// httpEnd says how an answer ended, if it did.
type httpEnd struct {
	done   bool // whole
	broken bool // no way to go on, because of cause
	close  bool // whole, and the last on this connection
	cause  load.Cause
	status uint16
	length int64 // of the body, without its framing
}

// read consumes bytes of in up to the end of one answer. eof: nothing comes behind in.
func (r *httpReader) read(in []byte, eof bool) (n int, end httpEnd) {
	from := -1 // where in in the head begins that is being read
	for {
		if r.state == httpStatusLine {
			from = n
			if known := r.recall(in[n:]); known > 0 {
				n += known
				r.stream.head(r.streams, r.events)
			}
		}
		used, next := r.step(in[n:], eof)
		n += used
		switch next {
		case httpHeadEnd:
			if from >= 0 {
				r.remember(in[from:n])
			}
			r.stream.head(r.streams, r.events)
		case httpLast:
			return n, r.finish()
		case httpBad:
			return n, r.broken(load.Malformed)
		case httpMore:
			if eof && (r.state != httpStatusLine || n < len(in)) {
				return len(in), r.broken(load.WrongLength)
			}
			return n, httpEnd{}
		}
	}
}

// step consumes one line or one piece of a body.
func (r *httpReader) step(in []byte, eof bool) (used int, next httpNext) {
	switch r.state {
	case httpNothing:
		return 0, httpLast
	case httpCounted, httpChunk:
		piece := in[:min(r.left, int64(len(in)))]
		r.left -= int64(len(piece))
		r.take(piece)
		switch {
		case r.left > 0:
			return len(piece), httpMore
		case r.state == httpCounted:
			return len(piece), httpLast
		}
		r.state = httpChunkEnd
		r.stream.part()
		return len(piece), httpOn
	case httpUntilEOF:
		r.take(in)
		if eof {
			return len(in), httpLast
		}
		return len(in), httpMore
	default:
		return r.line(in)
	}
}

// take has a piece of a body looked at.
func (r *httpReader) take(piece []byte) {
	r.got += int64(len(piece))
	if r.sum != nil {
		r.sum.Write(piece)
	}
	if r.stream.on {
		r.stream.take(piece)
	}
	if r.body != nil {
		r.body.take(piece)
	}
}

// line consumes one line outside the body.
func (r *httpReader) line(in []byte) (used int, next httpNext) {
	i := bytes.IndexByte(in, '\n')
	r.headBytes += i + 1
	switch {
	case r.headBytes > maxHead || i < 0 && len(in) > maxHead:
		return 0, httpBad
	case i < 0:
		return 0, httpMore
	}
	line := in[:i]
	crlf := i > 0 && line[i-1] == '\r'
	if crlf {
		line = line[:i-1]
	}
	return i + 1, r.meaning(line, crlf)
}

// meaning takes one line, without its end, which was LF alone if not crlf.
func (r *httpReader) meaning(line []byte, crlf bool) httpNext {
	switch r.state {
	case httpStatusLine:
		return fine(r.statusLine(line))
	case httpHeaders:
		if len(line) == 0 {
			return r.headEnd()
		}
		return fine(r.header(line))
	case httpChunkSize:
		// A bare LF here lets two readers disagree on where a chunk begins.
		return fine(crlf && r.chunkSize(line))
	case httpChunkEnd:
		r.state, r.headBytes = httpChunkSize, 0
		return fine(crlf && len(line) == 0)
	default: // httpTrailers
		if len(line) == 0 {
			return httpLast
		}
		return fine(isField(line))
	}
}

func fine(ok bool) httpNext {
	if ok {
		return httpOn
	}
	return httpBad
}

// finish ends a whole answer and makes r ready for the next.
func (r *httpReader) finish() httpEnd {
	end := httpEnd{
		done: true, status: r.status, length: r.got,
		close: r.close || r.state == httpUntilEOF || r.minor == '0' && !r.keep,
	}
	r.httpMessage = httpMessage{}
	return end
}

func (r *httpReader) broken(cause load.Cause) httpEnd {
	return httpEnd{broken: true, cause: cause, status: r.status}
}
