package http1

import (
	"bytes"
	"cmp"
	"hash/maphash"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/load"
)

// reader cuts a stream of HTTP/1.1 answers into messages (RFC 9112): every whole
// line and every piece of a body is consumed when it comes. It allocates nothing once
// it is warm.
type reader struct {
	head bool         // answers have no body
	body *answer.Body // checks the bodies; nil for no check
	// checks say which statuses are wrong; nil in a sequence that has not begun. refused looks at the body that is being
	// read if it may be the first with such a status; mostly nil.
	checks  *answer.Checks
	refused *answer.Body
	sum     *maphash.Hash // of the bytes of a body, reset by who reads it; nil for none
	message
	memo memo
	// streams says which answers are streams; stream is how far the one is that is being read.
	streams *wire.Streams
	stream  answer.Stream
}

// message is how far the reader is in a message. All that follows from the bytes
// of a head is in here, see memo.
type message struct {
	state state
	// minor is the digit behind "HTTP/1.", status the answer's code.
	minor  byte
	status uint16
	// headBytes counts the head so far, against httpmsg.MaxHead.
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

// state is what the next bytes are.
type state uint8

const (
	statusLine state = iota // of a message of which nothing has come yet
	headers
	nothing   // the message ends with its head
	counted   // left bytes of body
	untilEOF  // all that comes
	chunkSize // a chunk's first line
	chunk     // left bytes of it
	chunkEnd  // CR LF behind it
	trailers
)

// next is what became of a step.
type next uint8

const (
	on        next = iota // go on with the next
	more                  // more bytes are needed
	headWhole             // go on; this was the end of the head
	last                  // the message is whole
	bad                   // it breaks the rules
)

// ending says how an answer ended, if it did.
type ending struct {
	done   bool // whole
	broken bool // no way to go on, because of cause
	close  bool // whole, and the last on this connection
	cause  load.Cause
	status uint16
	length int64 // of the body, without its framing
}

// read consumes bytes of in up to the end of one answer. eof: nothing comes after in.
func (r *reader) read(in []byte, eof bool) (n int, end ending) {
	from := -1 // where in in the head begins that is being read
	for {
		if r.state == statusLine {
			from = n
			if known := r.recall(in[n:]); known > 0 {
				n += known
				r.headOver()
			}
		}
		used, next := r.step(in[n:], eof)
		n += used
		switch next {
		case headWhole:
			if from >= 0 {
				r.remember(in[from:n])
			}
			r.headOver()
		case last:
			return n, r.finish()
		case bad:
			return n, r.broken(load.Malformed)
		case more:
			if eof && (r.state != statusLine || n < len(in)) {
				return len(in), r.broken(load.WrongLength)
			}
			return n, ending{}
		}
	}
}

// headOver makes r ready for the body behind a head.
func (r *reader) headOver() {
	r.stream.Head(r.streams, r.events)
	if r.refused = nil; r.body == nil {
		r.refused = r.checks.Refused(r.status)
	}
}

// looks is what looks at the body that is being read; nil for nothing.
func (r *reader) looks() *answer.Body { return cmp.Or(r.body, r.refused) }

// step consumes one line or one piece of a body.
func (r *reader) step(in []byte, eof bool) (used int, next next) {
	switch r.state {
	case nothing:
		return 0, last
	case counted, chunk:
		piece := in[:min(r.left, int64(len(in)))]
		r.left -= int64(len(piece))
		r.take(piece)
		switch {
		case r.left > 0:
			return len(piece), more
		case r.state == counted:
			return len(piece), last
		}
		r.state = chunkEnd
		r.stream.Part()
		return len(piece), on
	case untilEOF:
		r.take(in)
		if eof {
			return len(in), last
		}
		return len(in), more
	default:
		return r.line(in)
	}
}

// take has a piece of a body looked at.
func (r *reader) take(piece []byte) {
	r.got += int64(len(piece))
	if r.sum != nil {
		r.sum.Write(piece)
	}
	if r.stream.On {
		r.stream.Take(piece)
	}
	if body := r.looks(); body != nil {
		body.Take(piece)
	}
}

// line consumes one line outside the body.
func (r *reader) line(in []byte) (used int, next next) {
	i := bytes.IndexByte(in, '\n')
	r.headBytes += i + 1
	switch {
	case r.headBytes > httpmsg.MaxHead || i < 0 && len(in) > httpmsg.MaxHead:
		return 0, bad
	case i < 0:
		return 0, more
	}
	line := in[:i]
	crlf := i > 0 && line[i-1] == '\r'
	if crlf {
		line = line[:i-1]
	}
	return i + 1, r.meaning(line, crlf)
}

// meaning takes one line, without its end, which was LF alone if not crlf.
func (r *reader) meaning(line []byte, crlf bool) next {
	switch r.state {
	case statusLine:
		return fine(r.statusLine(line))
	case headers:
		if len(line) == 0 {
			return r.headEnd()
		}
		return fine(r.header(line))
	case chunkSize:
		// A bare LF here lets two readers disagree on where a chunk begins.
		return fine(crlf && r.chunkSize(line))
	case chunkEnd:
		r.state, r.headBytes = chunkSize, 0
		return fine(crlf && len(line) == 0)
	default: // trailers
		if len(line) == 0 {
			return last
		}
		return fine(isField(line))
	}
}

func fine(ok bool) next {
	if ok {
		return on
	}
	return bad
}

// finish ends a whole answer and makes r ready for the next.
func (r *reader) finish() ending {
	end := ending{
		done: true, status: r.status, length: r.got,
		close: r.close || r.state == untilEOF || r.minor == '0' && !r.keep,
	}
	r.message = message{}
	return end
}

func (r *reader) broken(cause load.Cause) ending {
	return ending{broken: true, cause: cause, status: r.status}
}
