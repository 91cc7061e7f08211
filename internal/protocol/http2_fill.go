package protocol

import (
	"slices"
	"strconv"
)

// http2Fill is a request that a row of a feed fills in. Its fields are spelt out as literals (RFC 7541 section 6.2.2), so
// that a row costs no more than copying its values.
type http2Fill struct {
	parts []http2Part
	// length: a field says how long the body is.
	length bool
	body   template
	// bodies are those of each row in place of body, for messages of gRPC, which are encoded once.
	bodies [][]byte
}

func newHTTP2Fill(fields []http2Field, body template, length bool) *http2Fill {
	f := &http2Fill{length: length, body: body}
	for _, field := range fields {
		kind := byte(0x00) // a literal without indexing, with a new name
		if field.secret {
			kind = 0x10 // never indexed: RFC 7541 section 6.2.3
		}
		f.parts = append(f.parts, http2Part{name: appendHPACKText([]byte{kind}, field.name), value: field.value})
	}
	return f
}

// fixedHead says that no row changes anything in the head.
func (f *http2Fill) fixedHead() bool {
	return !slices.ContainsFunc(f.parts, func(p http2Part) bool { return !p.value.fixed() })
}

// append appends the head, and gives the body to s. n is the number of the row that with has.
func (f *http2Fill) append(dst []byte, stream uint32, first bool, n int, with fill, s *http2Stream) []byte {
	if f.bodies != nil {
		s.content = f.bodies[n]
	} else {
		s.buffer = f.body.append(s.buffer[:0], with)
		s.content = s.buffer
	}
	at := len(dst)
	dst = http2Frame{kind: http2Headers, stream: stream}.append(dst)
	if first {
		dst = append(dst, 0x20) // the table has no place: RFC 7541 section 6.3
	}
	for i := range f.parts {
		p := &f.parts[i]
		dst = append(dst, p.name...)
		length := len(dst)
		dst = p.value.append(dst, with)
		dst = insertHPACKLength(dst, length)
	}
	if f.length {
		var digits [20]byte
		dst = append(dst, 0x0f, hpackContentLength-0x0f) // an index of 4 bits that goes on: RFC 7541 section 5.1
		dst = appendHPACKText(dst, string(strconv.AppendInt(digits[:0], int64(len(s.content)), 10)))
	}
	return endHTTP2Head(dst, at, stream, len(s.content) == 0)
}

// endHTTP2Head completes the frame that begins at the given place: its length and flags. A block that one frame does not
// hold goes on in others.
func endHTTP2Head(dst []byte, at int, stream uint32, end bool) []byte {
	block := dst[at+http2FrameHeader:]
	f := http2Frame{length: len(block), kind: http2Headers, flags: http2EndHeaders, stream: stream}
	if end {
		f.flags |= http2EndStream
	}
	if len(block) <= http2MaxFrame {
		f.append(dst[:at])
		return dst
	}
	h := newHTTP2Head(append([]byte(nil), block...), end)
	return h.append(dst[:at], stream)
}
