package http1

import (
	"bytes"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
)

// header takes one header line, and remembers those that frame the message.
func (r *reader) header(line []byte) bool {
	if line[0] == ' ' || line[0] == '\t' {
		// A line folded on to the one before (obsolete, RFC 9112 section 5.2). It
		// may not go on with a header that frames the message, nor be the first.
		return r.foldable
	}
	r.foldable = false
	if !isField(line) {
		return false
	}
	colon := bytes.IndexByte(line, ':')
	value := bytes.Trim(line[colon+1:], " \t")
	switch name := line[:colon]; {
	case wire.FoldEqual(name, "content-length"):
		length, ok := wire.Decimal(value)
		if !ok || r.length >= 0 && r.length != length {
			return false
		}
		r.length = length
	case wire.FoldEqual(name, "transfer-encoding"):
		return r.transferEncoding(value)
	case wire.FoldEqual(name, "connection"):
		r.close = r.close || wire.HasToken(value, "close")
		r.keep = r.keep || wire.HasToken(value, "keep-alive")
	case wire.FoldEqual(name, "content-type"):
		r.events = answer.IsEventStream(value)
		r.foldable = true
	default:
		r.foldable = true
	}
	return true
}

// transferEncoding: chunked, once, is the only coding that frames a message we can
// read. HTTP/1.0 has none (RFC 9112 section 6.1).
func (r *reader) transferEncoding(value []byte) bool {
	if r.minor == '0' {
		return true
	}
	if r.coded {
		return false
	}
	r.coded, r.chunked = true, wire.FoldEqual(value, "chunked")
	return true
}

// isField says whether line is "name: value" with a proper name.
func isField(line []byte) bool {
	for i, c := range line {
		if c == ':' {
			return i > 0
		}
		if !wire.TokenBytes[c] {
			return false
		}
	}
	return false
}
