package http2

import (
	"bytes"
	"encoding/binary"
	"net/url"
	"slices"
	"strconv"

	"golang.org/x/net/http2/hpack"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/httpmsg"
)

// request is one target's request.
type request struct {
	first head // of a connection's first request
	rest  head // of all others
	body  []byte
	head  bool  // the method is HEAD: the answer has no body
	fill  *fill // nil where no row of a feed fills anything in
}

// head is the frames of a request's head, whose stream is still to be filled in.
type head struct {
	frames  []byte
	streams []int // where
}

// append appends the head of the request of a stream, and gives its body to s. row is the number of that of the feed,
// if there is one.
func (r *request) append(dst []byte, stream uint32, first bool, row int, with wire.Fill, s *stream) []byte {
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
func (r *request) bodyOf(row int) []byte {
	if r.fill != nil {
		return r.fill.bodies[row]
	}
	return r.body
}

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
	content := httpmsg.HasContent(o.Method, o.Body)
	body := o.BodyTemplate()
	fixed := body.Fixed()
	for _, f := range fields {
		fixed = fixed && f.Value.Fixed()
	}
	if !fixed {
		return &request{fill: newFill(fields, body, content), head: o.Method == "HEAD"}, numbered, nil
	}
	if content {
		length := httpmsg.Field{Name: "content-length", Value: wire.Template{}.Then(strconv.Itoa(len(o.Body)))}
		fields = slices.Insert(fields, httpmsg.Always, length)
	}
	if r, err = newFixedRequest(fields, o.Body); err == nil {
		r.head = o.Method == "HEAD"
	}
	return r, false, err
}

// newFixedRequest builds a request of fields without columns.
func newFixedRequest(fields []httpmsg.Field, body []byte) (*request, error) {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	// Nothing is ever put into the table, so that a block means the same on every
	// connection. The first block of a connection has to say so: RFC 7541 section 4.2.
	e.SetMaxDynamicTableSize(0)
	for _, f := range fields {
		if err := e.WriteField(hpack.HeaderField{Name: f.Name, Value: string(f.Value.Append(nil, wire.Fill{})),
			Sensitive: f.Secret}); err != nil {
			return nil, err // never: a bytes.Buffer takes all
		}
	}
	first := b.Bytes()
	_, size := hpackInt(first, 5) // the size update in front
	return &request{
		first: newHead(first, len(body) == 0), rest: newHead(first[size:], len(body) == 0), body: body,
	}, nil
}

// newHead puts a block into frames. end: the request has no body.
func newHead(block []byte, end bool) (h head) {
	f := Frame{Kind: Headers}
	if end {
		f.flags = EndStream
	}
	for {
		f.Length = min(len(block), maxFrame)
		if f.Length == len(block) {
			f.flags |= EndHeaders
		}
		h.streams = append(h.streams, len(h.frames)+5)
		h.frames = append(f.append(h.frames), block[:f.Length]...)
		block = block[f.Length:]
		if len(block) == 0 {
			return h
		}
		f = Frame{Kind: Continuation}
	}
}

// append appends the head for one stream to dst.
func (h *head) append(dst []byte, stream uint32) []byte {
	at := len(dst)
	dst = append(dst, h.frames...)
	for _, i := range h.streams {
		binary.BigEndian.PutUint32(dst[at+i:], stream)
	}
	return dst
}
