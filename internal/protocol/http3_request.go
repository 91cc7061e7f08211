package protocol

import (
	"bytes"
	"net/url"
	"strconv"

	"github.com/quic-go/qpack"
	"github.com/quic-go/quic-go/quicvarint"
)

// http3Request is one target's request: the bytes of its stream.
type http3Request struct {
	fixed []byte     // nil where a row of a feed fills something in
	fill  *http3Fill // nil where none does
	head  bool       // the method is HEAD: the answer has no body
}

// http3Fill is a request that a row of a feed fills in. Its fields are spelt out as literals (RFC 9204 section 4.5.6), so
// that a row costs no more than copying its values.
type http3Fill struct {
	parts []http2Part // the name as it stands in front of the value's length
	// length: a field says how long the body is.
	length bool
	body   template
}

// The types of frames: RFC 9114 section 7.2, and what HTTP/2 had and HTTP/3 must not have, section 7.2.8.
const (
	http3Data        = 0x00
	http3Headers     = 0x01
	http3CancelPush  = 0x03
	http3Settings    = 0x04
	http3PushPromise = 0x05
	http3GoAway      = 0x07
	http3MaxPush     = 0x0d
)

// newHTTP3Request builds the request for the path and query of u, to the address in its Host. The header lines have been
// checked for HTTP/1.1 before.
func newHTTP3Request(method string, u *url.URL, o Options) (*http3Request, error) {
	fields, err := http2Fields(method, u, o)
	if err != nil {
		return nil, err
	}
	r := &http3Request{head: method == "HEAD"}
	body := o.templateOf(string(o.Body), asIs, false)
	fixed := body.fixed()
	for _, f := range fields {
		fixed = fixed && f.value.fixed()
	}
	if !fixed {
		r.fill = newHTTP3Fill(fields, body, hasContent(method, o.Body))
		return r, nil
	}
	block, err := http3Block(fields, hasContent(method, o.Body), len(o.Body))
	if err != nil {
		return nil, err
	}
	r.fixed = appendHTTP3Frame(nil, http3Headers, block)
	if len(o.Body) > 0 {
		r.fixed = appendHTTP3Frame(r.fixed, http3Data, o.Body)
	}
	return r, nil
}

// http3Block encodes fields without columns, and Content-Length behind those that every request has.
func http3Block(fields []http2Field, content bool, length int) ([]byte, error) {
	var b bytes.Buffer
	e := qpack.NewEncoder(&b) // it has no dynamic table: a block means the same on every connection
	for i, f := range fields {
		if err := e.WriteField(qpack.HeaderField{Name: f.name, Value: string(f.value.append(nil, fill{}))}); err != nil {
			return nil, err // never: a bytes.Buffer takes all
		}
		if content && i == http2Always-1 {
			if err := e.WriteField(qpack.HeaderField{Name: "content-length", Value: strconv.Itoa(length)}); err != nil {
				return nil, err
			}
		}
	}
	return b.Bytes(), nil
}

// appendHTTP3Frame appends a frame: RFC 9114 section 7.1.
func appendHTTP3Frame(dst []byte, kind uint64, payload []byte) []byte {
	return append(appendHTTP3FrameHead(dst, kind, len(payload)), payload...)
}

func appendHTTP3FrameHead(dst []byte, kind uint64, length int) []byte {
	return quicvarint.Append(quicvarint.Append(dst, kind), uint64(length))
}

func newHTTP3Fill(fields []http2Field, body template, length bool) *http3Fill {
	f := &http3Fill{length: length, body: body}
	for _, field := range fields {
		f.parts = append(f.parts, http2Part{name: appendQPACKName(nil, field.name, field.secret), value: field.value})
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
func (r *http3Request) append(dst []byte, with fill, block []byte) (all, free []byte) {
	if r.fill == nil {
		return append(dst, r.fixed...), block
	}
	f := r.fill
	size := f.body.size(with)
	block = append(block[:0], 0, 0) // no dynamic table: RFC 9204 section 4.5.1
	for i := range f.parts {
		p := &f.parts[i]
		block = append(block, p.name...)
		at := len(block)
		block = insertHPACKLength(p.value.append(block, with), at)
	}
	if f.length {
		block = append(block, qpackLength)
		at := len(block)
		block = insertHPACKLength(strconv.AppendInt(block, int64(size), 10), at)
	}
	dst = appendHTTP3Frame(dst, http3Headers, block)
	if size > 0 {
		dst = f.body.append(appendHTTP3FrameHead(dst, http3Data, size), with)
	}
	return dst, block
}
