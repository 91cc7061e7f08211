package http3

import (
	"bytes"
	"net/url"
	"strconv"

	"github.com/quic-go/qpack"
	"github.com/quic-go/quic-go/quicvarint"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/httpmsg"
)

// request is one target's request: the bytes of its stream.
type request struct {
	fixed []byte // nil where a row of a feed fills something in
	fill  *fill  // nil where none does
	head  bool   // the method is HEAD: the answer has no body
}

// fill is a request that a row of a feed fills in. Its fields are spelt out as literals (RFC 9204 section 4.5.6), so
// that a row costs no more than copying its values.
type fill struct {
	parts []httpmsg.Part // the name as it stands in front of the value's length
	// length: a field says how long the body is.
	length bool
	body   wire.Template
}

// The types of frames: RFC 9114 section 7.2, and what HTTP/2 had and HTTP/3 must not have, section 7.2.8.
const (
	Data          = 0x00
	Headers       = 0x01
	cancelPush    = 0x03
	settingsFrame = 0x04
	pushPromise   = 0x05
	goAway        = 0x07
	maxPush       = 0x0d
)

// newRequest builds the request for the path and query of u, to the address in its Host. It says whether the number of
// the request is in it.
func newRequest(u *url.URL, o wire.Options) (r *request, numbered bool, err error) {
	if numbered, err = httpmsg.Check(u, o); err != nil {
		return nil, false, err
	}
	fields, err := httpmsg.Fields(u, o)
	if err != nil {
		return nil, false, err
	}
	r = &request{head: o.Method == "HEAD"}
	content := httpmsg.HasContent(o.Method, o.Body)
	body := o.BodyTemplate()
	fixed := body.Fixed()
	for _, f := range fields {
		fixed = fixed && f.Value.Fixed()
	}
	if !fixed {
		r.fill = newFill(fields, body, content)
		return r, numbered, nil
	}
	block, err := block(fields, content, len(o.Body))
	if err != nil {
		return nil, false, err
	}
	r.fixed = appendFrame(nil, Headers, block)
	if len(o.Body) > 0 {
		r.fixed = appendFrame(r.fixed, Data, o.Body)
	}
	return r, false, nil
}

// block encodes fields without columns, and Content-Length behind those that every request has.
func block(fields []httpmsg.Field, content bool, length int) ([]byte, error) {
	var b bytes.Buffer
	e := qpack.NewEncoder(&b) // it has no dynamic table: a block means the same on every connection
	for i, f := range fields {
		if err := e.WriteField(qpack.HeaderField{Name: f.Name,
			Value: string(f.Value.Append(nil, wire.Fill{}))}); err != nil {
			return nil, err // never: a bytes.Buffer takes all
		}
		if content && i == httpmsg.Always-1 {
			if err := e.WriteField(qpack.HeaderField{Name: "content-length", Value: strconv.Itoa(length)}); err != nil {
				return nil, err
			}
		}
	}
	return b.Bytes(), nil
}

// appendFrame appends a frame: RFC 9114 section 7.1.
func appendFrame(dst []byte, kind uint64, payload []byte) []byte {
	return append(appendFrameHead(dst, kind, len(payload)), payload...)
}

func appendFrameHead(dst []byte, kind uint64, length int) []byte {
	return quicvarint.Append(quicvarint.Append(dst, kind), uint64(length))
}

func newFill(fields []httpmsg.Field, body wire.Template, length bool) *fill {
	f := &fill{length: length, body: body}
	for _, field := range fields {
		f.parts = append(f.parts, httpmsg.Part{Name: appendQPACKName(nil, field.Name, field.Secret),
			Value: field.Value})
	}
	return f
}

// appendQPACKName appends the front of a field that is spelt out: RFC 9204 section 4.5.6. A secret must not be put into
// tables on its way.
func appendQPACKName(dst []byte, name string, secret bool) []byte {
	kind := byte(0x20)
	if secret {
		kind |= 0x10
	}
	const most = 7 // of three bits
	if len(name) < most {
		return append(append(dst, kind|byte(len(name))), name...)
	}
	dst = append(dst, kind|most)
	rest := len(name) - most
	for ; rest >= 0x80; rest >>= 7 {
		dst = append(dst, byte(rest)|0x80)
	}
	return append(append(dst, byte(rest)), name...)
}

// qpackLength is the front of a field Content-Length: a name of the static table, number 4, with a value that is spelt
// out (RFC 9204 section 4.5.4 and appendix A).
const qpackLength = 0x54

// append appends the request, filled, to dst. block is memory that is free; it is returned for the next time.
func (r *request) append(dst []byte, with wire.Fill, block []byte) (all, free []byte) {
	if r.fill == nil {
		return append(dst, r.fixed...), block
	}
	f := r.fill
	size := f.body.Size(with)
	block = append(block[:0], 0, 0) // no dynamic table: RFC 9204 section 4.5.1
	for i := range f.parts {
		p := &f.parts[i]
		block = append(block, p.Name...)
		at := len(block)
		block = httpmsg.InsertHPACKLength(p.Value.Append(block, with), at)
	}
	if f.length {
		block = append(block, qpackLength)
		at := len(block)
		block = httpmsg.InsertHPACKLength(strconv.AppendInt(block, int64(size), 10), at)
	}
	dst = appendFrame(dst, Headers, block)
	if size > 0 {
		dst = f.body.Append(appendFrameHead(dst, Data, size), with)
	}
	return dst, block
}
