package protocol

import "bytes"

// header takes one header line, and remembers those that frame the message.
func (r *httpReader) header(line []byte) bool {
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
	case foldEqual(name, "content-length"):
		length, ok := decimal(value)
		if !ok || r.length >= 0 && r.length != length {
			return false
		}
		r.length = length
	case foldEqual(name, "transfer-encoding"):
		return r.transferEncoding(value)
	case foldEqual(name, "connection"):
		r.close = r.close || hasToken(value, "close")
		r.keep = r.keep || hasToken(value, "keep-alive")
	case foldEqual(name, "content-type"):
		r.events = isEventStream(value)
		r.foldable = true
	default:
		r.foldable = true
	}
	return true
}

// transferEncoding: chunked, once, is the only coding that frames a message we can
// read. HTTP/1.0 has none (RFC 9112 section 6.1).
func (r *httpReader) transferEncoding(value []byte) bool {
	if r.minor == '0' {
		return true
	}
	if r.coded {
		return false
	}
	r.coded, r.chunked = true, foldEqual(value, "chunked")
	return true
}

// isField says whether line is "name: value" with a proper name.
func isField(line []byte) bool {
	for i, c := range line {
		if c == ':' {
			return i > 0
		}
		if !tokenBytes[c] {
			return false
		}
	}
	return false
}
