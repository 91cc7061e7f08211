package protocol

import (
	"bytes"
	"encoding/binary"
	"net/url"
	"slices"
	"strconv"

	"golang.org/x/net/http2/hpack"
)

// http2Request is one target's request.
type http2Request struct {
	first http2Head // of a connection's first request
	rest  http2Head // of all others
	body  []byte
	head  bool       // the method is HEAD: the answer has no body
	fill  *http2Fill // nil where no row of a feed fills anything in
}

// http2Head is the frames of a request's head, whose stream is still to be filled in.
type http2Head struct {
	frames  []byte
	streams []int // where
}

// append appends the head of the request of a stream, and gives its body to s. row is the number of that of the feed, if there is one.
func (r *http2Request) append(dst []byte, stream uint32, first bool, row int, with fill, s *http2Stream) []byte {
	s.headOnly = r.head
	switch {
	case r.fill != nil:
		return r.fill.append(dst, stream, first, row, with, s)
	case first:
		dst = r.first.append(dst, stream)
	default:
		dst = r.rest.append(dst, stream)
	}
	s.content = r.body
	return dst
}

// bodyOf is the body of a request that is fixed, or of gRPC, with that row of the feed.
func (r *http2Request) bodyOf(row int) []byte {
	if r.fill != nil {
		return r.fill.bodies[row]
	}
	return r.body
}

// newHTTP2Request builds the request for the path and query of u, to the address in its
// Host. The header lines have been checked for HTTP/1.1 before.
func newHTTP2Request(method string, u *url.URL, o Options) (*http2Request, error) {
	fields, err := http2Fields(method, u, o)
	if err != nil {
		return nil, err
	}
	body := o.templateOf(string(o.Body), asIs, false)
	fixed := body.fixed()
	for _, f := range fields {
		fixed = fixed && f.value.fixed()
	}
	if !fixed {
		return &http2Request{fill: newHTTP2Fill(fields, body, hasContent(method, o.Body)), head: method == "HEAD"}, nil
	}
	if hasContent(method, o.Body) {
		length := http2Field{name: "content-length", value: template{}.then(strconv.Itoa(len(o.Body)))}
		fields = slices.Insert(fields, http2Always, length)
	}
	r, err := newFixedHTTP2Request(fields, o.Body)
	if err == nil {
		r.head = method == "HEAD"
	}
	return r, err
}

// newFixedHTTP2Request builds a request of fields without columns.
func newFixedHTTP2Request(fields []http2Field, body []byte) (*http2Request, error) {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	// Nothing is ever put into the table, so that a block means the same on every
	// connection. The first block of a connection has to say so: RFC 7541 section 4.2.
	e.SetMaxDynamicTableSize(0)
	for _, f := range fields {
		if err := e.WriteField(hpack.HeaderField{Name: f.name, Value: string(f.value.append(nil, fill{})), Sensitive: f.secret}); err != nil {
			return nil, err // never: a bytes.Buffer takes all
		}
	}
	first := b.Bytes()
	_, size := hpackInt(first, 5) // the size update in front
	return &http2Request{
		first: newHTTP2Head(first, len(body) == 0), rest: newHTTP2Head(first[size:], len(body) == 0), body: body,
	}, nil
}

// newHTTP2Head puts a block into frames. end: the request has no body.
func newHTTP2Head(block []byte, end bool) (h http2Head) {
	f := http2Frame{kind: http2Headers}
	if end {
		f.flags = http2EndStream
	}
	for {
		f.length = min(len(block), http2MaxFrame)
		if f.length == len(block) {
			f.flags |= http2EndHeaders
		}
		h.streams = append(h.streams, len(h.frames)+5)
		h.frames = append(f.append(h.frames), block[:f.length]...)
		block = block[f.length:]
		if len(block) == 0 {
			return h
		}
		f = http2Frame{kind: http2Continuation}
	}
}

// append appends the head for one stream to dst.
func (h *http2Head) append(dst []byte, stream uint32) []byte {
	at := len(dst)
	dst = append(dst, h.frames...)
	for _, i := range h.streams {
		binary.BigEndian.PutUint32(dst[at+i:], stream)
	}
	return dst
}
