package http2

import (
	"bytes"
	"encoding/binary"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/grpctypes"
)

// grpcReader reads the body of an answer of gRPC: messages with a prefix each (gRPC over HTTP/2,
// Length-Prefixed-Message).
type grpcReader struct {
	call *grpcCall
	// prefix is what has come of the prefix of the next message, left what is still to come of the one being read.
	prefix [grpctypes.PrefixBytes]byte
	have   int
	left   uint32
	inside bool
	// messages are those that are whole, of size bytes together without their prefixes.
	messages uint64
	size     int64
	// compressed and wrong say that a message was compressed, that one fails a check.
	compressed, wrong bool
	kept              []byte // the message so far, where it is checked or copied
	// each says that every message is looked at alone: see toEnd and next. copies says that its content is kept for
	// that.
	each, copies bool
}

// toEnd is how much of a piece there is to the end of the first message in it, or all of it.
func (r *grpcReader) toEnd(piece []byte) int {
	left, prefix := r.left, 0
	if !r.inside {
		prefix = len(r.prefix) - r.have
		if len(piece) < prefix {
			return len(piece)
		}
		whole := r.prefix
		copy(whole[r.have:], piece[:prefix])
		left = binary.BigEndian.Uint32(whole[1:])
	}
	return min(len(piece), prefix+int(left))
}

// next forgets the message that is whole.
func (r *grpcReader) next() {
	r.size, r.compressed, r.wrong, r.kept = 0, false, false, r.kept[:0]
}

// take reads the next piece of the body and returns how many messages end in it.
func (r *grpcReader) take(piece []byte) (ended int) {
	for len(piece) > 0 {
		if !r.inside {
			n := copy(r.prefix[r.have:], piece)
			r.have += n
			piece = piece[n:]
			if r.have < len(r.prefix) {
				return ended
			}
			r.have, r.inside, r.left = 0, true, binary.BigEndian.Uint32(r.prefix[1:])
			r.compressed = r.compressed || r.prefix[0] != 0
		}
		n := min(int(r.left), len(piece))
		if (r.copies || r.call.looks()) && len(r.kept)+n <= answer.MaxJSON {
			r.kept = append(r.kept, piece[:n]...)
		}
		piece = piece[n:]
		r.size += int64(n)
		if r.left -= uint32(n); r.left == 0 {
			r.end()
			ended++
		}
	}
	if r.inside && r.left == 0 { // a message without content at the end of a piece
		r.end()
		ended++
	}
	return ended
}

// end judges the message that is whole.
func (r *grpcReader) end() {
	r.inside = false
	r.messages++
	if r.call.looks() {
		r.wrong = r.wrong || !r.call.matches(r.kept)
	}
	if !r.each {
		r.kept = r.kept[:0]
	}
}

// whole says that no message is cut off.
func (r *grpcReader) whole() bool { return !r.inside && r.have == 0 }

// looks says that the content of messages is checked.
func (c *grpcCall) looks() bool { return c.text != nil || c.json != nil }

// matches checks one message.
func (c *grpcCall) matches(message []byte) bool {
	right := bytes.Contains(message, c.text)
	if right && c.json != nil {
		text, err := c.method.JSON(message)
		right = err == nil && c.json.Match(text)
	}
	if !right && c.first.Open() {
		c.first.Tell("%s", c.fault(message))
	}
	return right
}

// fault says what is wrong with a message.
func (c *grpcCall) fault(message []byte) string {
	came := "a message of " + units.Plural(len(message), "byte") + ", " + answer.Front(message)
	if !bytes.Contains(message, c.text) {
		return came + ": it does not hold the text " + answer.Front(c.text)
	}
	text, err := c.method.JSON(message)
	if err != nil {
		return came + ": it is not one of this method: " + printable.Line(err.Error())
	}
	return "a message, as JSON " + answer.Front(text) + ": " + c.json.Fault(text)
}
