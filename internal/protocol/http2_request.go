package protocol

import (
	"bytes"
	"encoding/binary"
	"net/url"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/fail"
	"golang.org/x/net/http2/hpack"
)

// http2Request is one target's request.
type http2Request struct {
	first http2Head // of a connection's first request
	rest  http2Head // of all others
	body  []byte
	head  bool // the method is HEAD: the answer has no body
}

// http2Head is the frames of a request's head, whose stream is still to be filled in.
type http2Head struct {
	frames  []byte
	streams []int // where
}

// newHTTP2Request builds the request for the path and query of u, to the address in its
// Host. The header lines have been checked for HTTP/1.1 before.
func newHTTP2Request(method string, u *url.URL, o Options) (*http2Request, error) {
	fields, err := http2Fields(method, u, o)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	// Nothing is ever put into the table, so that a block means the same on every
	// connection. The first block of a connection has to say so: RFC 7541 section 4.2.
	e.SetMaxDynamicTableSize(0)
	for _, f := range fields {
		if err := e.WriteField(f); err != nil {
			return nil, err // never: a bytes.Buffer takes all
		}
	}
	first := b.Bytes()
	_, size := hpackInt(first, 5) // the size update in front
	r := &http2Request{body: o.Body, head: method == "HEAD"}
	r.first = newHTTP2Head(first, len(o.Body) == 0)
	r.rest = newHTTP2Head(first[size:], len(o.Body) == 0)
	return r, nil
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

// http2Fields is the header of a request: RFC 9113 section 8.3.1.
func http2Fields(method string, u *url.URL, o Options) ([]hpack.HeaderField, error) {
	host, agent := hostHeader(u), userAgent
	var rest []hpack.HeaderField
	for _, line := range o.Headers {
		name, value, err := splitHeader(line)
		if err != nil {
			return nil, err
		}
		switch name = strings.ToLower(name); name {
		case "host":
			host = value
		case "user-agent":
			agent = value
		case "connection", "keep-alive", "proxy-connection":
			return nil, fail.New(fail.BadInput, "header %q does not exist in HTTP/2", name).
				WithHint("leave it out, or leave out --http2")
		case "te": // RFC 9113 section 8.2.2
			if !strings.EqualFold(value, "trailers") {
				return nil, fail.New(fail.BadInput, "header te is %q, and HTTP/2 allows only %q", value, "trailers").
					WithHint("-H te:trailers, or leave it out")
			}
			rest = append(rest, hpack.HeaderField{Name: name, Value: "trailers"})
		default:
			// What holds a secret must not be put into tables on its way: RFC 7541 section 7.1.3.
			secret := name == "authorization" || name == "cookie"
			rest = append(rest, hpack.HeaderField{Name: name, Value: value, Sensitive: secret})
		}
	}
	fields := []hpack.HeaderField{
		{Name: ":method", Value: method}, {Name: ":scheme", Value: u.Scheme},
		{Name: ":path", Value: u.RequestURI()}, {Name: ":authority", Value: host},
		{Name: "user-agent", Value: agent},
	}
	if hasContent(method, o.Body) {
		fields = append(fields, hpack.HeaderField{Name: "content-length", Value: strconv.Itoa(len(o.Body))})
	}
	return append(fields, rest...), nil
}
