package protocol

import (
	"bytes"
	"encoding/binary"
	"net/url"
	"slices"
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

// http2Field is a field of a request's head.
type http2Field struct {
	name  string
	value template
	// secret: it must not be put into tables on its way (RFC 7541 section 7.1.3).
	secret bool
}

// http2Always is how many fields every request has, in front of the user's.
const http2Always = 5

// http2Fields is the header of a request but its length, which is the same in HTTP/3: RFC 9113 section 8.3.1 and RFC 9114
// section 4.3.1.
func http2Fields(method string, u *url.URL, o Options) ([]http2Field, error) {
	host, agent := hostHeader(u), userAgent
	var rest []http2Field
	field := func(name, value string) http2Field {
		return http2Field{name: name, value: o.templateOf(value, asIs, false)}
	}
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
			return nil, fail.New(fail.BadInput, "header %q does not exist in %s", name, versionOf(o).name).
				WithHint("leave it out, or leave out %s", versionOf(o).flag)
		case "te": // RFC 9113 section 8.2.2
			if !strings.EqualFold(value, "trailers") {
				return nil, fail.New(fail.BadInput, "header te is %q, and %s allows only %q", value, versionOf(o).name, "trailers").
					WithHint("-H te:trailers, or leave it out")
			}
			rest = append(rest, field(name, "trailers"))
		default:
			f := field(name, value)
			f.secret = name == "authorization" || name == "cookie"
			rest = append(rest, f)
		}
	}
	uri, err := httpURI(u, o)
	if err != nil {
		return nil, err
	}
	return append([]http2Field{
		field(":method", method), field(":scheme", u.Scheme), {name: ":path", value: uri}, field(":authority", host), field("user-agent", agent),
	}, rest...), nil
}

// httpVersion is a version of HTTP as messages name it, and its flag.
type httpVersion struct{ name, flag string }

// versionOf is the version that o asks for, which is not HTTP/1.1.
func versionOf(o Options) httpVersion {
	if o.HTTP3 {
		return httpVersion{"HTTP/3", "--http3"}
	}
	return httpVersion{"HTTP/2", "--http2"}
}
