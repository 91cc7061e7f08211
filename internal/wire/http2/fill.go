package http2

import (
	"slices"
	"strconv"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/httpmsg"
)

// fill is a request that a row of a feed fills in. Its fields are spelt out as literals (RFC 7541 section 6.2.2), so
// that a row costs no more than copying its values.
type fill struct {
	parts []httpmsg.Part
	// length: a field says how long the body is.
	length bool
	body   wire.Template
	// bodies are those of each row instead of body, for messages of gRPC, which are encoded once.
	bodies [][]byte
}

func newFill(fields []httpmsg.Field, body wire.Template, length bool) *fill {
	f := &fill{length: length, body: body}
	for _, field := range fields {
		kind := byte(0x00) // a literal without indexing, with a new name
		if field.Secret {
			kind = 0x10 // never indexed: RFC 7541 section 6.2.3
		}
		f.parts = append(f.parts, httpmsg.Part{Name: httpmsg.AppendHPACKText([]byte{kind}, field.Name),
			Value: field.Value})
	}
	return f
}

// fixedHead says that no row changes anything in the head.
func (f *fill) fixedHead() bool {
	return !slices.ContainsFunc(f.parts, func(p httpmsg.Part) bool { return !p.Value.Fixed() })
}

// append appends the head, and gives the body to s. n is the number of the row that with has.
func (f *fill) append(dst []byte, stream uint32, first bool, n int, with wire.Fill, s *stream) []byte {
	if f.bodies != nil {
		s.content = f.bodies[n]
	} else {
		s.buffer = f.body.Append(s.buffer[:0], with)
		s.content = s.buffer
	}
	at := len(dst)
	dst = Frame{Kind: Headers, Stream: stream}.append(dst)
	if first {
		dst = append(dst, 0x20) // the table has no place: RFC 7541 section 6.3
	}
	for i := range f.parts {
		p := &f.parts[i]
		dst = append(dst, p.Name...)
		length := len(dst)
		dst = p.Value.Append(dst, with)
		dst = httpmsg.InsertHPACKLength(dst, length)
	}
	if f.length {
		var digits [20]byte
		dst = append(dst, 0x0f, hpackContentLength-0x0f) // an index of 4 bits that goes on: RFC 7541 section 5.1
		dst = httpmsg.AppendHPACKText(dst, string(strconv.AppendInt(digits[:0], int64(len(s.content)), 10)))
	}
	return endHead(dst, at, stream, len(s.content) == 0)
}

// endHead completes the frame that begins at the given place: its length and flags. A block that one frame does not
// hold goes on in others.
func endHead(dst []byte, at int, stream uint32, end bool) []byte {
	block := dst[at+FrameHeader:]
	f := Frame{Length: len(block), Kind: Headers, flags: EndHeaders, Stream: stream}
	if end {
		f.flags |= EndStream
	}
	if len(block) <= maxFrame {
		f.append(dst[:at])
		return dst
	}
	h := newHead(append([]byte(nil), block...), end)
	return h.append(dst[:at], stream)
}
