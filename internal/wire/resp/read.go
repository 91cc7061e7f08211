package resp

import (
	"bytes"
	"math"

	"github.com/gohone/hone/internal/wire/answer"
)

// reader reads answers of RESP2 and RESP3, all types of them, as the bytes come: it keeps
// where it is, and nothing of what it has read but the text of an error.
//
//   - simple string   - error         : integer   , double   ( big number   # boolean   _ null
//     $ bulk string     ! bulk error    = verbatim string
//   - array           ~ set           % map       | attribute   > push message
//
// A null is also a string or an array of length -1. Strings of unknown length come in chunks
// ("$?", then ";4" and so on until ";0"), aggregates of unknown length end with ".".
type reader struct {
	// body looks at the text of an answer; nil if nothing has to.
	body *answer.Body
	// text is the first error in the answer that was read last, as far as it is told.
	text []byte

	place
	open []level
}

// place is where in an answer a reader is; zero between answers.
type place struct {
	begun   bool
	end     ending
	left    int64 // of a string: bytes to come, without the line end behind it
	tail    int   // bytes of that line end to come
	scalars int   // values read, for what stands between them
	chunked bool  // a string in chunks is open
	head    int   // bytes of a verbatim string's format ("txt:") to come
	telling bool  // the value being read is the first error
}

// level is an aggregate that is open.
type level struct {
	kind    byte
	endless bool  // it ends with a "."
	left    int64 // values to come
	values  int64 // values so far, of one that is endless
}

// ending is what an answer was.
type ending struct {
	done   bool
	broken bool // bytes that are not RESP, or beyond a bound
	push   bool // it is a message that answers nothing
	failed bool // it is an error, or holds one
	null   bool
	// length is that of a string in bytes, of an aggregate in elements, of any other
	// value that of its text.
	length int64
}

const (
	// maxLine bounds lines: simple strings, errors and numbers. Redis bounds its
	// inline commands by the same 64 KiB.
	maxLine = 64 << 10
	// maxString is Redis' largest string (proto-max-bulk-len).
	maxString = 512 << 20
	// maxElements bounds the elements of an aggregate: more than Redis can send.
	maxElements = math.MaxUint32
	// maxDepth bounds how deep aggregates are nested.
	maxDepth = 64
	// respErrorText is how much of an error is kept, in bytes.
	respErrorText = 256
)

// read reads at most one answer from the front of in. It returns the bytes it consumed; end
// is meant where it is done or broken, and r is ready for the next answer then.
func (r *reader) read(in []byte) (n int, end ending) {
	if !r.begun && len(in) > 0 {
		r.begun = true
		r.text = r.text[:0]
	}
	for n < len(in) {
		used, state := r.step(in[n:])
		n += used
		switch state {
		case more:
			return n, ending{}
		case broken:
			return n, r.finish(ending{broken: true})
		case value:
			if r.settle() {
				end := r.end
				end.done = true
				return n, r.finish(end)
			}
		}
	}
	return n, ending{}
}

// finish makes r ready for the next answer.
func (r *reader) finish(end ending) ending {
	r.place = place{}
	r.open = r.open[:0]
	return end
}

// state is what a step came to.
type state int

const (
	on     state = iota // go on
	more                // more bytes are needed
	broken              // these are not an answer
	value               // a value has ended
)

// step reads one line, or a piece of a string.
func (r *reader) step(in []byte) (n int, s state) {
	if r.left > 0 || r.tail > 0 {
		return r.string(in)
	}
	end := bytes.IndexByte(in[:min(len(in), maxLine)], '\n')
	switch {
	case end < 0 && len(in) >= maxLine, end < 0 && !isType(in[0]):
		return 0, broken
	case end < 0:
		return 0, more
	case end < 2 || in[end-1] != '\r':
		return 0, broken
	}
	return end + 1, r.line(in[0], in[1:end-1])
}

func isType(c byte) bool { return bytes.IndexByte([]byte("+-:,(#_$!=*~%|>;."), c) >= 0 }

// line takes a line of a type.
func (r *reader) line(kind byte, text []byte) state {
	if r.chunked != (kind == ';') {
		return broken
	}
	switch kind {
	case '+', '-', ':', ',', '(', '#', '_':
		return r.scalar(kind, text)
	case '$', '!', '=', ';':
		return r.openString(kind, text)
	case '*', '~', '%', '|', '>':
		return r.openLevel(kind, text)
	case '.':
		return r.closeLevel(text)
	}
	return broken
}

// scalar takes a value that is one line.
func (r *reader) scalar(kind byte, text []byte) state {
	switch {
	case kind == ':' && !isInteger(text), kind == '(' && !isInteger(text),
		kind == '#' && string(text) != "t" && string(text) != "f",
		kind == '_' && len(text) > 0, kind == ',' && !isDouble(text):
		return broken
	case bytes.IndexByte(text, '\r') >= 0:
		return broken
	}
	if kind == '_' {
		r.null()
		return value
	}
	r.begin(kind)
	r.take(text)
	r.grow(int64(len(text)))
	return value
}

// begin notes that a value begins that has a text.
func (r *reader) begin(kind byte) {
	r.separate()
	r.telling = (kind == '-' || kind == '!') && !r.end.failed && !r.isPush()
	r.end.failed = r.end.failed || r.telling
}

// separate puts a line end between the texts of two values, for what looks at them.
func (r *reader) separate() {
	if r.body != nil && r.scalars > 0 && !r.isPush() {
		r.body.Take([]byte{'\n'})
	}
	r.scalars++
}

// take looks at a piece of a value's text.
func (r *reader) take(piece []byte) {
	if r.isPush() {
		return
	}
	if r.body != nil {
		r.body.Take(piece)
	}
	if r.telling {
		r.text = append(r.text, piece[:min(len(piece), respErrorText-len(r.text))]...)
	}
}

// isPush says that what is read belongs to a push message or an attribute, which no check
// looks at.
func (r *reader) isPush() bool {
	for i := range r.open {
		if k := r.open[i].kind; k == '>' || k == '|' {
			return true
		}
	}
	return false
}

// null takes a null.
func (r *reader) null() {
	r.separate()
	if len(r.open) == 0 {
		r.end.null, r.end.length = true, -1
	}
}

// grow counts bytes of a string that is the answer itself.
func (r *reader) grow(n int64) {
	if len(r.open) == 0 {
		r.end.length += n
	}
}

// isInteger: a sign at most and digits. Big numbers have as many as they like.
func isInteger(text []byte) bool {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) > 0
}

// isDouble: digits with a fraction and an exponent, inf, -inf or nan.
func isDouble(text []byte) bool {
	switch string(text) {
	case "inf", "-inf", "nan", "+inf", "-nan":
		return true
	}
	digits := false
	for _, c := range text {
		switch {
		case '0' <= c && c <= '9':
			digits = true
		case bytes.IndexByte([]byte("+-.eE"), c) < 0:
			return false
		}
	}
	return digits
}
